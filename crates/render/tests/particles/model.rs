//! Warcraft III's first kind of emitter, whose particles are models, and Reforged's effects.

use crate::scenes::*;
use meshwright_render::frame::PictureId;
use meshwright_render::particles::Rules;
use scene::*;

#[test]
fn model_and_effect_emitters_show_markers_or_nothing() {
    let models = ModelEmitter {
        path: "Spark.mdl".into(),
        emission_rate: 1.0,
        life_span: 1.5,
        speed: 10.0,
        gravity: 8.0,
        ..ModelEmitter::default()
    };
    let markers = Rules { markers: true, ..Rules::default() };
    let scene = scene_of(EmitterKind::Model(models.clone()));
    assert_eq!(at(&scene, 5.25, Rules::default()), None);
    let cloud = at(&scene, 5.25, markers).unwrap();
    assert_places(&centers(&cloud), &[[0.0, 12.5 - 6.25, 0.0], [0.0, 2.5 - 0.25, 0.0]]);
    assert_eq!(cloud.picture, Some(PictureId::Glow));

    let mut pictures = scene_of(EmitterKind::Model(ModelEmitter {
        path: "textures/spark.tga".into(),
        is_picture: true,
        ..models
    }));
    pictures.textures.push(Texture { name: "Textures\\Spark.tga".into(), ..Texture::default() });
    let cloud = at(&pictures, 5.25, Rules::default()).unwrap();
    assert_eq!(cloud.picture, Some(PictureId::Texture(TextureId(0))));

    let effect = scene_of(EmitterKind::Effect(EffectEmitter::default()));
    assert_eq!(at(&effect, 5.25, Rules::default()), None);
    assert_places(&centers(&at(&effect, 5.25, markers).unwrap()), &[[0.0; 3]]);
}
