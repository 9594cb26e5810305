// Starts the viewer, gives it the files that are dropped or chosen, and keeps its state in the address.
// The program calls the functions of `window.meshwright` and adds others to it; see `src/web.rs`. Nothing is sent anywhere.
import start from './meshwright.js';

const page = document.documentElement;
const canvas = document.getElementById('view');
const inputs = { files: document.getElementById('files'), folder: document.getElementById('folder') };

/** Files with other extensions in a folder are not read. A file that is opened by itself always is: the viewer says what it is. */
const KNOWN = /\.(w3d|mdx|mdl|glb|gltf|bin|json|blp|dds|tga|png|jpe?g|big|mix|mpq|w3x|w3m|w3n|zip|ini|slk)$/i;
/** The memory of a page is 4 GB at most, and files are copied once. */
const MAX_BYTES = 1e9;
/** Browsers ignore an address that changes more than 200 times in 30 seconds. */
const ADDRESS_EVERY = 400;

/** The state of the viewer is in the address. This is not part of it, but stays there too. */
const backend = new URLSearchParams(location.search).get('backend');

const show = (text) => { document.getElementById('status').textContent = text; };
const error = document.getElementById('error');
/** Says why the viewer cannot continue. The first reason counts: others follow from it. The details are a tooltip. */
const fail = (sentence, details = '') => {
  if (error.hidden) [error.textContent, error.title] = [sentence, details];
  error.hidden = false;
  page.dataset.state = 'failed';
  show('');
};

let pending;
let query = '';
let pickBeside = false;
/** What was opened last, to open it again after a lost graphics device. The files themselves stay on disk. */
let last;
let reopen;
window.meshwright = {
  /** Lets the user choose `files` or a `folder`. */
  pick: (kind, beside) => {
    pickBeside = beside;
    inputs[kind].click();
  },
  /** Offers a file for download. */
  save: (name, bytes) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  },
  /** Puts the state into the address, not more often than browsers allow. */
  address: (text) => {
    query = text;
    pending ??= setTimeout(() => {
      pending = undefined;
      const whole = [backend && `backend=${encodeURIComponent(backend)}`, query].filter(Boolean).join('&');
      history.replaceState(null, '', whole ? `?${whole}` : location.pathname);
    }, ADDRESS_EVERY);
  },
  fail,
  /** Facts about the viewer as `data-` attributes of the canvas, for tests and assistive tools. The first picture makes the page ready. */
  report: (name, value) => {
    canvas.dataset[name] = value;
    if (name === 'model' && !page.dataset.state) {
      page.dataset.state = 'drawing';
      // The picture is on the screen when the next one begins.
      requestAnimationFrame(() => {
        page.dataset.state = 'ready';
        performance.mark('first-picture');
        show('');
        if (reopen) open(...reopen);
        reopen = undefined;
      });
    }
  },
};

/** Gives files to the viewer: pairs of a path and a `File`. */
async function open(found, beside) {
  last = [found, beside];
  const files = found.length === 1 ? found : found.filter(([path]) => KNOWN.test(path));
  if (!files.length) {
    window.meshwright.complain('No models found. The viewer opens W3D, MDX, MDL, GLB and glTF files, and BIG, MIX, MPQ and ZIP archives.');
    return;
  }
  const bytes = files.reduce((sum, [, file]) => sum + file.size, 0);
  if (bytes > MAX_BYTES) {
    window.meshwright.complain(`These files are too large: ${(bytes / 1e9).toFixed(1)} GB, the limit of the page is 1 GB. Open fewer files, or install meshwright-viewer.`);
    return;
  }
  const read = [];
  for (const [path, file] of files) {
    if (files.length > 20) show(`Reading file ${read.length + 1} of ${files.length}…`);
    try {
      read.push([path, new Uint8Array(await file.arrayBuffer())]);
    } catch (error) {
      window.meshwright.complain(`${path} could not be read: ${error.message}`);
    }
  }
  show('');
  if (read.length) window.meshwright.open(read, beside);
  canvas.focus();
}

/** All files below a dropped file or folder. */
async function walk(entry, found) {
  if (entry.isFile) {
    found.push([entry.fullPath.replace(/^\//, ''), await new Promise((resolve, reject) => entry.file(resolve, reject))]);
    return;
  }
  const reader = entry.createReader();
  // A reader returns a part of a folder at a time.
  for (;;) {
    const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!part.length) return;
    for (const child of part) await walk(child, found);
  }
}

/** The dropped files. Entries have to be taken before anything else happens: the list is emptied after the event. */
async function dropped(transfer) {
  const found = [];
  const items = [...transfer.items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
  for (const item of items) {
    if (item instanceof File) found.push([item.name, item]);
    else if (item) await walk(item, found);
  }
  return found;
}

for (const input of Object.values(inputs)) {
  input.addEventListener('change', () => {
    const found = [...input.files].map((file) => [file.webkitRelativePath || file.name, file]);
    if (found.length) open(found, pickBeside);
    pickBeside = false;
    // The same file can be chosen again.
    input.value = '';
  });
}

// Before the program sees the event: it would open files alone, and no folders.
const dragging = (on) => (event) => {
  if (!event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  event.stopPropagation();
  document.body.classList.toggle('dropping', on);
};
window.addEventListener('dragover', dragging(true), true);
window.addEventListener('dragleave', dragging(false), true);
window.addEventListener('drop', (event) => {
  dragging(false)(event);
  // Shift puts the model beside the one that is shown.
  dropped(event.dataTransfer).then((found) => open(found, event.shiftKey), (error) => window.meshwright.complain(`The dropped files could not be read: ${error.message}`));
}, true);

// A driver that restarts, or a phone that needs memory, takes the graphics device away. The browser tells when there is a new one.
canvas.addEventListener('webglcontextlost', (event) => {
  event.preventDefault();
  window.meshwright.stop?.();
  fail('The graphics device was lost. The viewer continues when the browser has a new one; if nothing happens, reload the page.');
});
canvas.addEventListener('webglcontextrestored', () => {
  error.hidden = true;
  delete page.dataset.state;
  reopen = last;
  window.meshwright.start();
});
window.addEventListener('error', (event) => {
  if (event.error instanceof WebAssembly.RuntimeError) fail('The viewer stopped: this model needs more memory than a page has, or the viewer has a bug. Reload the page to continue.');
});

// While its developer tools imitate another screen, Chromium gives CSS pixels as device pixels. The viewer then has to multiply itself.
new ResizeObserver(([entry], observer) => {
  const reported = entry.devicePixelContentBoxSize?.[0].inlineSize;
  const expected = entry.contentBoxSize[0].inlineSize * devicePixelRatio;
  if (reported && Math.abs(reported - expected) > 2) delete ResizeObserverEntry.prototype.devicePixelContentBoxSize;
  observer.disconnect();
}).observe(canvas);

start({ module_or_path: new URL('meshwright_bg.wasm', import.meta.url) }).then(
  // How much memory the program has, for tests.
  ({ memory }) => { window.meshwright.memory = () => memory.buffer.byteLength; },
  (problem) => fail(`The viewer could not be started: ${problem.message ?? problem}`),
);
