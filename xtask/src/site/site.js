// The search: every word has to occur in the title, the page or the text; titles count most. `#?q=words` in the address searches at once.
(() => {
  const input = document.getElementById('search');
  const found = document.getElementById('found');
  const list = document.getElementById('list');
  const root = document.body.dataset.root;
  const entries = window.SEARCH.map(([title, address, page, text]) => ({
    title, address, page, text, words: [title, page, text].map((part) => part.toLowerCase()),
  }));

  const score = ({ words: [title, page, text] }, word) => {
    if (title === word) return 100;
    if (title.startsWith(word)) return 40;
    if (title.includes(word)) return 20;
    if (page.includes(word)) return 4;
    return text.includes(word) ? 2 : 0;
  };

  const search = (query) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const results = [];
    for (const entry of words.length ? entries : []) {
      const scores = words.map((word) => score(entry, word));
      if (scores.every(Boolean)) results.push([scores.reduce((a, b) => a + b), entry]);
    }
    return results.sort((a, b) => b[0] - a[0]).slice(0, 40).map(([, entry]) => entry);
  };

  const line = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
  const show = () => {
    const results = search(input.value);
    found.replaceChildren(...results.map(({ title, address, page, text }) => {
      const link = Object.assign(document.createElement('a'), { href: root + address });
      link.append(line('b', title), line('small', page), line('small', text));
      return link;
    }));
    if (input.value.trim() && !results.length) found.append(line('p', `Nothing contains all of "${input.value.trim()}".`));
    found.hidden = !input.value.trim();
    list.hidden = !found.hidden;
    found.firstElementChild?.classList.add('chosen');
  };

  input.addEventListener('input', show);
  input.form.addEventListener('submit', (event) => {
    event.preventDefault();
    const first = found.querySelector('a');
    if (first) location.href = first.href;
  });
  addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== input) {
      event.preventDefault();
      input.focus();
    } else if (event.key === 'Escape') {
      input.value = '';
      show();
    }
  });
  if (location.hash.startsWith('#?q=')) {
    input.value = decodeURIComponent(location.hash.slice(4));
    show();
  }
})();
