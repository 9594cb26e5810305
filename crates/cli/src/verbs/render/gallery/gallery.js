// Fills the page from models.js, filters it, and moves the pictures. Plain JavaScript: it works from file:// without a network.
'use strict';

const FRAMES_PER_SECOND = 12;
const CARDS_AT_ONCE = 120;

/** Shows one of the pictures that stand side by side. */
function show(thumb, frame) {
  const count = Number(thumb.dataset.frames) || 1;
  const at = ((frame % count) + count) % count;
  thumb.dataset.frame = at;
  const image = thumb.querySelector('img');
  if (image) image.style.transform = `translateX(${(-100 * at) / count}%)`;
}

/** Moves the pictures of a model while the mouse or the keyboard is on it. */
function animate(target, thumb) {
  let timer = 0;
  const start = () => {
    if (!timer) timer = setInterval(() => show(thumb, Number(thumb.dataset.frame || 0) + 1), 1000 / FRAMES_PER_SECOND);
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    show(thumb, 0);
  };
  target.addEventListener('pointerenter', start);
  target.addEventListener('pointerleave', stop);
  target.addEventListener('focus', start);
  target.addEventListener('blur', stop);
}

/** On the page of a model: drag to turn it. */
function drag(thumb) {
  let from = null;
  thumb.addEventListener('pointerdown', (event) => {
    from = { x: event.clientX, frame: Number(thumb.dataset.frame || 0) };
    thumb.setPointerCapture(event.pointerId);
  });
  thumb.addEventListener('pointermove', (event) => {
    if (!from) return;
    const step = thumb.clientWidth / (Number(thumb.dataset.frames) || 1);
    show(thumb, from.frame - Math.round((event.clientX - from.x) / step));
  });
  for (const end of ['pointerup', 'pointercancel']) thumb.addEventListener(end, () => { from = null; });
}

function number(value) {
  return value.toLocaleString('en');
}

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function card(model) {
  const made = element('a', 'card');
  made.href = model.page;
  made.title = model.path;
  const thumb = element('div', 'thumb');
  if (model.picture) {
    thumb.dataset.frames = model.frames;
    const image = element('img');
    image.loading = 'lazy';
    image.alt = '';
    image.src = model.picture;
    thumb.append(image);
    animate(made, thumb);
  } else {
    thumb.classList.add('empty');
  }
  made.append(thumb, element('span', 'name', model.path.split('/').pop()));
  const facts = element('small', '', model.error ? 'unreadable' : `${number(model.triangles)} triangles`);
  if (model.missing) facts.append(element('span', 'warning', ` · ${model.missing} missing`));
  if (model.errors) facts.append(element('span', 'error', ` · ${model.errors} ${model.errors === 1 ? 'error' : 'errors'}`));
  made.append(facts);
  return made;
}

function gallery(models) {
  const $ = (id) => document.getElementById(id);
  const controls = ['search', 'game', 'least', 'most', 'missing', 'findings', 'order'].map($);
  for (const game of [...new Set(models.map((model) => model.game).filter(Boolean))].sort()) {
    $('game').append(new Option(game, game));
  }
  for (const model of models) model.text = `${model.path} ${model.game} ${model.words}`.toLowerCase();

  const value = (control) => (control.type === 'checkbox' ? (control.checked ? '1' : '') : control.value);
  const stored = new URLSearchParams(location.hash.slice(1));
  for (const control of controls) {
    if (!stored.has(control.id)) continue;
    if (control.type === 'checkbox') control.checked = true;
    else control.value = stored.get(control.id);
  }

  const findings = {
    '': () => true,
    errors: (model) => model.errors > 0,
    warnings: (model) => model.warnings > 0,
    any: (model) => model.findings > 0,
    none: (model) => model.findings === 0,
  };
  const bound = (text, other) => (text === '' ? other : Number(text));
  const main = $('models');
  const end = element('div');
  let waiting = [];
  const more = () => {
    main.append(...waiting.splice(0, CARDS_AT_ONCE).map(card));
    end.remove();
    if (waiting.length) main.append(end);
  };
  new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) more();
  }, { rootMargin: '600px' }).observe(end);

  const filter = () => {
    const words = $('search').value.toLowerCase().split(/\s+/).filter(Boolean);
    const [least, most] = [bound($('least').value, 0), bound($('most').value, Infinity)];
    const order = $('order').value;
    const shown = models.filter((model) =>
      words.every((word) => model.text.includes(word))
      && (!$('game').value || model.game === $('game').value)
      && model.triangles >= least && model.triangles <= most
      && (!$('missing').checked || model.missing > 0)
      && findings[$('findings').value](model));
    shown.sort((a, b) => (order === 'path' ? 0 : b[order] - a[order]) || a.path.localeCompare(b.path, 'en'));
    $('count').textContent = shown.length === models.length
      ? `${number(models.length)} ${models.length === 1 ? 'model' : 'models'}`
      : `${number(shown.length)} of ${number(models.length)} models`;
    main.replaceChildren();
    waiting = shown;
    more();
    const state = new URLSearchParams();
    for (const control of controls) {
      if (value(control) && !(control.id === 'order' && value(control) === 'path')) state.set(control.id, value(control));
    }
    history.replaceState(null, '', `#${state}`);
  };
  $('filters').addEventListener('input', filter);
  $('filters').addEventListener('submit', (event) => event.preventDefault());
  filter();
}

if (window.MODELS) gallery(window.MODELS);
for (const thumb of document.querySelectorAll('.thumb.large')) drag(thumb);
