//! The view of the models: mouse, labels and messages.

use crate::app::App;
use crate::draw::View;
use crate::pane::{Object, Pane};
use egui::{Align2, Color32, FontId, PointerButton, Pos2, Rect, Sense, Ui, Vec2};
use glam::Vec3;
use meshwright::render::frame::{Camera, Frame, MarkKind, Source, Topology};

pub(super) fn show(app: &mut App, ui: &mut Ui) {
    let whole = ui.max_rect();
    let count = app.panes.len().max(1);
    for at in 0..app.panes.len() {
        let width = whole.width() / count as f32;
        let left = whole.left() + width * at as f32;
        let rect = Rect::from_min_max(Pos2::new(left, whole.top()), Pos2::new(left + width, whole.bottom()));
        view(app, ui, at, rect);
    }
    if count > 1 {
        let x = whole.center().x;
        let stroke = egui::Stroke::new(2.0, ui.visuals().widgets.noninteractive.bg_stroke.color);
        ui.painter().line_segment([Pos2::new(x, whole.top()), Pos2::new(x, whole.bottom())], stroke);
    }
    dropping(app, ui, whole);
    messages(app, ui, whole);
}

fn view(app: &mut App, ui: &mut Ui, at: usize, rect: Rect) {
    let response = ui.interact(rect, ui.scope_id().with(("view", at)), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, format!("View {}", at + 1)));
    mouse(app, ui, at, rect, &response);
    let App { state, panes, view_size, graphics, .. } = app;
    let pane = &mut panes[at];
    let scale = ui.ctx().pixels_per_point();
    let size = [rect.width(), rect.height()].map(|side| ((side * scale).round() as u32).clamp(1, 4096));
    *view_size = size;
    let aspect = size[0] as f32 / size[1] as f32;
    let options = pane.options(state, aspect);
    let marks = if state.names { pane.opened.framer().marks(&options) } else { Vec::new() };
    let camera = pane.opened.framer().camera(&options);
    let (background, software) = (state.background, state.software);
    let view = View { options, without: pane.without.clone(), background, size, software };
    let drawn = pane.drawing.update(ui.ctx(), graphics, &pane.opened, view);
    let painter = ui.painter_at(rect);
    match drawn {
        Ok(texture) => {
            // Blending leaves some alpha in the picture, which is opaque.
            painter.rect_filled(rect, 0.0, Color32::BLACK);
            let uv = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
            painter.image(texture, rect, uv, Color32::WHITE);
        }
        Err(problem) => {
            painter.text(
                rect.center(),
                Align2::CENTER_CENTER,
                problem,
                FontId::proportional(14.0),
                Color32::LIGHT_RED,
            );
        }
    }
    for mark in marks {
        if let Some(place) = on_screen(&camera, mark.position, rect) {
            let color = match mark.kind {
                MarkKind::Bone(_) => Color32::from_rgb(255, 230, 120),
                MarkKind::Attachment(_) => Color32::from_rgb(150, 255, 150),
                MarkKind::Camera(_) => Color32::from_rgb(240, 180, 255),
            };
            let font = FontId::proportional(11.0);
            let place = place + Vec2::new(4.0, -4.0);
            painter.text(
                place + Vec2::splat(1.0),
                Align2::LEFT_BOTTOM,
                &mark.name,
                font.clone(),
                Color32::from_black_alpha(200),
            );
            painter.text(place, Align2::LEFT_BOTTOM, &mark.name, font, color);
        }
    }
    if panes_are_two(app) {
        let name = app.panes[at].opened.name();
        let color = if at == app.active { Color32::WHITE } else { Color32::from_gray(190) };
        painter.text(
            rect.left_top() + Vec2::new(8.0, 6.0),
            Align2::LEFT_TOP,
            name,
            FontId::proportional(13.0),
            color,
        );
    }
}

fn panes_are_two(app: &App) -> bool {
    app.panes.len() > 1
}

/// Turns, moves and zooms the camera, and selects.
fn mouse(app: &mut App, ui: &Ui, at: usize, rect: Rect, response: &egui::Response) {
    let App { state, panes, active, .. } = app;
    if response.clicked() || response.dragged() {
        *active = at;
    }
    let pane = &mut panes[at];
    let bounds = pane.opened.bounds(pane.opened.clip(&state.clip));
    if let Some(fingers) = ui.input(|input| input.multi_touch()).filter(|it| rect.contains(it.center_pos)) {
        // Two fingers move and zoom. The first of them is also a pointer, which must not turn the camera.
        let (by, cursor) = (fingers.translation_delta, fingers.center_pos - rect.center());
        state.orbit.shift(glam::Vec2::new(by.x, by.y), &bounds, rect.height());
        state.orbit.zoom_at(fingers.zoom_delta, glam::Vec2::new(cursor.x, cursor.y), &bounds, rect.height());
        state.model_camera.clear();
        return;
    }
    let by = response.drag_delta();
    let by = glam::Vec2::new(by.x, by.y);
    let modifiers = ui.input(|input| input.modifiers);
    if response.dragged_by(PointerButton::Primary) && !modifiers.shift {
        state.orbit.turn(by);
    } else if response.dragged_by(PointerButton::Middle) || response.dragged_by(PointerButton::Primary) {
        state.orbit.shift(by, &bounds, rect.height());
    } else if response.dragged_by(PointerButton::Secondary) {
        state.orbit.zoom_by((-by.y * 0.01).exp());
    }
    if by != glam::Vec2::ZERO {
        state.model_camera.clear();
    }
    if let Some(pointer) = response.hover_pos() {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        let cursor = pointer - rect.center();
        let cursor = glam::Vec2::new(cursor.x, cursor.y);
        if pinch != 1.0 {
            // Ctrl and the wheel, or a touchpad.
            state.orbit.zoom_at(pinch, cursor, &bounds, rect.height());
        } else if scroll != 0.0 {
            state.orbit.zoom_by((scroll * 0.004).exp());
        }
        let aspect = rect.width() / rect.height().max(1.0);
        if response.double_clicked() || response.middle_clicked() {
            if let Some((_, point)) = pick(pane, state, aspect, rect, pointer) {
                state.orbit.center_on(point, &bounds);
            }
        } else if response.clicked() {
            match pick(pane, state, aspect, rect, pointer) {
                Some((object, _)) => pane.select(object),
                None => pane.selection = Default::default(),
            }
        }
    }
}

/// The place of a point in the view; `None` if it is behind the camera.
fn on_screen(camera: &Camera, point: Vec3, rect: Rect) -> Option<Pos2> {
    let clip = camera.projection * camera.view * point.extend(1.0);
    if clip.w <= 0.0 {
        return None;
    }
    let place = clip.truncate() / clip.w;
    let inside = place.x.abs() <= 1.0 && place.y.abs() <= 1.0;
    let half = rect.size() * 0.5;
    inside.then(|| rect.center() + Vec2::new(place.x * half.x, -place.y * half.y))
}

/// The mesh under the cursor, and the point on it.
fn pick(pane: &Pane, state: &crate::State, aspect: f32, rect: Rect, pointer: Pos2) -> Option<(Object, Vec3)> {
    let options = pane.options(state, aspect);
    let frame = pane.opened.framer().frame(&options);
    let half = rect.size() * 0.5;
    let offset = pointer - rect.center();
    picked(&frame, glam::Vec2::new(offset.x / half.x, -offset.y / half.y))
}

/// The nearest mesh at a place of the picture, from -1 to 1 along each axis.
pub(crate) fn picked(frame: &Frame, place: glam::Vec2) -> Option<(Object, Vec3)> {
    let matrix = frame.camera.projection * frame.camera.view;
    let mut best: Option<(f32, Object, Vec3)> = None;
    for draw in frame.draws.iter().filter(|draw| draw.topology == Topology::Triangles) {
        let Source::Mesh { mesh, .. } = draw.source else { continue };
        let indices =
            frame.indices.get(draw.indices.start as usize..draw.indices.end as usize).unwrap_or_default();
        for corners in indices.as_chunks::<3>().0 {
            let Some([a, b, c]) = corner_positions(frame, *corners) else { continue };
            let [ca, cb, cc] = [a, b, c].map(|corner| matrix * corner.extend(1.0));
            if ca.w <= 0.0 || cb.w <= 0.0 || cc.w <= 0.0 {
                continue;
            }
            let [pa, pb, pc] = [ca, cb, cc].map(|corner| corner.truncate() / corner.w);
            let area = (pb - pa).truncate().perp_dot((pc - pa).truncate());
            if area.abs() < 1e-12 {
                continue;
            }
            let u = (pb.truncate() - place).perp_dot(pc.truncate() - place) / area;
            let v = (pc.truncate() - place).perp_dot(pa.truncate() - place) / area;
            let w = 1.0 - u - v;
            if u < 0.0 || v < 0.0 || w < 0.0 {
                continue;
            }
            let depth = pa.z * u + pb.z * v + pc.z * w;
            if best.is_none_or(|(nearest, ..)| depth < nearest) {
                // Shares in space differ from those on the screen by the distance.
                let shares = Vec3::new(u / ca.w, v / cb.w, w / cc.w);
                let sum = shares.element_sum();
                let point = (a * shares.x + b * shares.y + c * shares.z) / sum;
                best = Some((depth, Object::Mesh(mesh), point));
            }
        }
    }
    best.map(|(_, object, point)| (object, point)).filter(|(_, point)| point.is_finite())
}

fn corner_positions(frame: &Frame, corners: [u32; 3]) -> Option<[Vec3; 3]> {
    let position = |index: u32| frame.vertices.get(index as usize).map(|vertex| vertex.position);
    Some([position(corners[0])?, position(corners[1])?, position(corners[2])?])
}

/// A hint while files are held over the window.
fn dropping(app: &mut App, ui: &Ui, rect: Rect) {
    let (is_hovering, pointer) =
        ui.input(|input| (!input.raw.hovered_files.is_empty(), input.pointer.latest_pos()));
    if !is_hovering {
        return;
    }
    app.interface.drop_beside =
        app.panes.len() > 1 && pointer.is_some_and(|pointer| pointer.x > rect.center().x);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, Color32::from_black_alpha(160));
    painter.text(
        rect.center(),
        Align2::CENTER_CENTER,
        "Drop models, folders or archives",
        FontId::proportional(22.0),
        Color32::WHITE,
    );
}

/// Errors and news at the bottom of the view.
fn messages(app: &mut App, ui: &mut Ui, rect: Rect) {
    if app.messages.is_empty() {
        return;
    }
    let mut closed = None;
    egui::Area::new(egui::Id::unique("messages"))
        .fixed_pos(rect.left_bottom() + Vec2::new(10.0, -10.0))
        .pivot(Align2::LEFT_BOTTOM)
        .show(ui.ctx(), |ui| {
            ui.set_max_width((rect.width() - 20.0).clamp(100.0, 700.0));
            for (at, message) in app.messages.iter().enumerate() {
                let fill = if message.is_error {
                    Color32::from_rgb(120, 30, 30)
                } else {
                    Color32::from_rgb(40, 70, 50)
                };
                egui::Frame::new().fill(fill).corner_radius(4.0).inner_margin(8.0).show(ui, |ui| {
                    ui.horizontal(|ui| {
                        let text = egui::RichText::new(&message.text).color(Color32::WHITE);
                        ui.add(egui::Label::new(text).wrap());
                        if ui.small_button("Close").clicked() {
                            closed = Some(at);
                        }
                    });
                });
            }
        });
    if let Some(at) = closed {
        app.messages.remove(at);
    }
}
