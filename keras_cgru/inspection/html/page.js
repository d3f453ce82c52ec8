// Lights the chain of the mention under the pointer or in focus; the page is whole
// without this.
(() => {
  "use strict";
  let article = null;

  function darken() {
    if (!article) return;
    article.classList.remove("one");
    for (const each of article.querySelectorAll(".lit")) each.classList.remove("lit");
    article.querySelector(".about").textContent = "\u00a0";
    article = null;
  }

  function words(mention) {
    const copy = mention.cloneNode(true);
    for (const each of copy.querySelectorAll("sub, small, .bars, b")) each.remove();
    return copy.textContent.trim();
  }

  function light(mention) {
    darken();
    if (!mention) return;
    article = mention.closest("article");
    article.classList.add("one");
    const cluster = mention.dataset.c;
    const chain = article.querySelectorAll(`[data-c="${cluster}"]`);
    for (const each of chain) each.classList.add("lit");
    const marks = [...chain].filter((each) => each.matches("mark")).map(words);
    const weights = [...mention.querySelectorAll("[title]")].map(
      (each) => `${words(each.querySelector(".w"))}: ${each.title}`,
    );
    const about = [`Chain ${cluster}: ${marks.join(" – ")}`, ...weights];
    article.querySelector(".about").textContent = about.join(" | ");
  }

  const at = (target) => (target instanceof Element ? target.closest("[data-c]") : null);

  document.addEventListener("pointerover", (event) => {
    light(at(event.target) ?? at(document.activeElement));
  });
  document.documentElement.addEventListener("pointerleave", () => {
    light(at(document.activeElement));
  });
  document.addEventListener("focusin", (event) => light(at(event.target)));
  document.addEventListener("focusout", darken);
  document.addEventListener("keydown", (event) => {
    const mention = at(document.activeElement);
    if (!mention || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") mention.blur();
    if (!step) return;
    const cluster = mention.dataset.c;
    const chain = [
      ...mention.closest("article").querySelectorAll(`mark[data-c="${cluster}"]`),
    ];
    const next = chain[chain.indexOf(mention) + step];
    if (next) next.focus();
    event.preventDefault();
  });
})();
