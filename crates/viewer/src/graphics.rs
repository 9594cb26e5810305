//! What draws the models: the graphics adapter of the window, or the processor.

use crate::document::Opened;
use crate::draw::{self, View};
use egui_wgpu::RenderState;
use meshwright::render::pictures::Pictures;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Asks for the adapter and the device that the renderer needs. The window and the page create their device with this.
pub fn configure(setup: &mut egui_wgpu::WgpuSetup) {
    let egui_wgpu::WgpuSetup::CreateNew(setup) = setup else { return };
    setup.native_adapter_selector = Some(Arc::new(|adapters, surface| {
        gpu::choose_adapter(adapters, surface).ok_or_else(|| "no graphics adapter was found".to_owned())
    }));
    setup.device_descriptor = Arc::new(gpu::device_descriptor);
}

/// What draws the models: the graphics adapter of the window, or the processor.
#[derive(Default)]
pub struct Graphics {
    card: Option<Card>,
    adapter: Option<gpu::Adapter>,
    is_lost: bool,
    /// Sentences for the user.
    notices: Vec<String>,
}

/// The adapter of the window.
struct Card {
    renderer: gpu::Renderer,
    window: RenderState,
    /// Pictures that are no longer used. The frame in which one was last shown may still need it, so it is freed in the next.
    unused: Rc<RefCell<Vec<egui::TextureId>>>,
}

impl Graphics {
    /// Draws with the device of a window. Without one, or if the device cannot be used, the processor draws.
    #[must_use]
    pub fn new(window: Option<&RenderState>) -> Self {
        let Some(window) = window else { return Self::default() };
        let adapter = Some(gpu::Adapter::new(&window.adapter.get_info()));
        match gpu::Renderer::new(&window.device, &window.queue, wgpu::TextureFormat::Rgba8Unorm) {
            Ok(renderer) => {
                let card = Card { renderer, window: window.clone(), unused: Rc::default() };
                Self { card: Some(card), adapter, ..Self::default() }
            }
            Err(error) => {
                let notices = vec![format!("{error} The processor draws instead.")];
                Self { adapter, notices, ..Self::default() }
            }
        }
    }

    /// The adapter of the window; `None` without a window.
    #[must_use]
    pub fn adapter(&self) -> Option<&gpu::Adapter> {
        self.adapter.as_ref()
    }

    /// Whether the graphics adapter draws the models.
    #[must_use]
    pub fn draws(&self) -> bool {
        self.card.is_some()
    }

    /// Whether the device of the window was lost. The window cannot show anything more; a new one can.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.is_lost || self.card.as_ref().is_some_and(|card| card.renderer.is_lost())
    }

    /// What draws the models, in words.
    #[must_use]
    pub fn description(&self) -> String {
        match (&self.card, &self.adapter) {
            (Some(card), _) => card.renderer.adapter().to_string(),
            (None, Some(adapter)) => format!("the processor; the window by {adapter}"),
            (None, None) => "the processor".to_owned(),
        }
    }

    /// Whether drawing takes time of the processor, so that large pictures are slow.
    pub(crate) fn is_software(&self) -> bool {
        self.card.as_ref().is_none_or(|card| card.renderer.adapter().is_software)
    }

    /// Frees pictures that the last frame did not show.
    pub(crate) fn start_frame(&mut self) {
        let Some(card) = &self.card else { return };
        if card.renderer.is_lost() {
            self.fail(&gpu::Error::Lost(String::new()));
            return;
        }
        let unused: Vec<_> = card.unused.borrow_mut().drain(..).collect();
        if !unused.is_empty() {
            let mut renderer = card.window.renderer.write();
            unused.iter().for_each(|id| renderer.free_texture(id));
        }
    }

    /// Prepares the adapter for models of all kinds, so that the first of a kind is not late.
    pub fn warm(&mut self) {
        while self.warm_next() {}
    }

    /// Does a part of [`warm`](Self::warm). Returns whether there is more to do.
    pub(crate) fn warm_next(&mut self) -> bool {
        let Some(card) = &mut self.card else { return false };
        // An error is told when a model is drawn.
        card.renderer.warm().unwrap_or(false)
    }

    /// Sentences for the user since the last call.
    pub(crate) fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Draws into a picture. `None` if the graphics adapter cannot: the processor has to draw.
    pub(crate) fn draw(
        &mut self,
        picture: &mut Option<CardPicture>,
        opened: &Opened,
        view: &View,
        size: [u32; 2],
    ) -> Option<egui::TextureId> {
        let card = self.card.as_mut()?;
        match card.draw(picture, opened, view, size) {
            Ok(id) => Some(id),
            Err(error) => {
                *picture = None;
                self.fail(&error);
                None
            }
        }
    }

    fn fail(&mut self, error: &gpu::Error) {
        if matches!(error, gpu::Error::Lost(_)) {
            self.card = None;
            self.is_lost = true;
            self.notices.push("The graphics device was lost. The processor draws instead.".to_owned());
        } else {
            self.notices.push(format!("{error} The processor draws instead."));
        }
    }
}

impl Card {
    fn draw(
        &mut self,
        picture: &mut Option<CardPicture>,
        opened: &Opened,
        view: &View,
        size: [u32; 2],
    ) -> Result<egui::TextureId, gpu::Error> {
        let [width, height] = size;
        let known = match picture.take() {
            Some(known) if (known.target.width(), known.target.height()) == (width, height) => known,
            known => {
                let target = self.renderer.target(width, height)?;
                self.register(known, target)
            }
        };
        let picture = picture.insert(known);
        let pictures = opened.pictures(view.options.team_color);
        let frame = draw::frame(opened, &view.options, &view.without);
        if !picture.pictures.as_ref().is_some_and(|known| Arc::ptr_eq(known, &pictures)) {
            picture.textures = gpu::Textures::new();
            picture.pictures = Some(pictures.clone());
        }
        self.renderer.draw(&frame, &*pictures, &mut picture.textures, &picture.target, view.background)?;
        if self.renderer.adapter().is_software {
            // Drawing is to be measured. Browsers do not wait here.
            let _ = self.window.device.poll(wgpu::PollType::wait_indefinitely());
        }
        Ok(picture.id)
    }

    /// Lets egui show a target, in the place of the picture that was shown before.
    fn register(&self, known: Option<CardPicture>, target: gpu::Target) -> CardPicture {
        let (device, filter) = (&self.window.device, wgpu::FilterMode::Linear);
        let mut renderer = self.window.renderer.write();
        match known {
            Some(mut known) => {
                renderer.update_egui_texture_from_wgpu_texture(device, target.view(), filter, known.id);
                known.target = target;
                known
            }
            None => CardPicture {
                id: renderer.register_native_texture(device, target.view(), filter),
                target,
                textures: gpu::Textures::new(),
                pictures: None,
                unused: self.unused.clone(),
            },
        }
    }
}

/// A picture of a model in graphics memory, which egui shows.
pub(crate) struct CardPicture {
    id: egui::TextureId,
    target: gpu::Target,
    textures: gpu::Textures,
    /// The pictures of the model that the textures were made of.
    pictures: Option<Arc<Pictures>>,
    unused: Rc<RefCell<Vec<egui::TextureId>>>,
}

impl CardPicture {
    /// Frees the textures of the model.
    pub(crate) fn forget(&mut self) {
        self.textures = gpu::Textures::new();
        self.pictures = None;
    }
}

impl Drop for CardPicture {
    fn drop(&mut self) {
        self.unused.borrow_mut().push(self.id);
    }
}
