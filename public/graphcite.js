// 1. Clicking a citation such as [3] shows item 3 of that answer's evidence, without leaving the
//    chat. Chainlit would open the citation's own page: its handler never sees the click.
// 2. The medical notice stands on the first screen too, where Chainlit shows none.
// 3. Buttons that Chainlit names in English only get the names of bot/server.py.
// 4. A conversation that is opened by its address is always resumed. Chainlit connects twice then,
//    without the conversation and with it, each after a request for a cookie; if the answers come
//    in the other order, the connection without it stays and the page waits forever.
(function () {
  "use strict";

  const plainFetch = window.fetch;
  let connecting = 0;

  window.fetch = function (resource, ...options) {
    const response = plainFetch.call(this, resource, ...options);
    const address = resource instanceof Request ? resource.url : String(resource);
    if (!address.includes("/set-session-cookie")) return response;
    const own = ++connecting;
    const unlessOutdated = (go) => (result) =>
      own === connecting ? go(result) : new Promise(() => {});
    return response.then(
      unlessOutdated((found) => found),
      unlessOutdated((error) => Promise.reject(error)),
    );
  };

  const CITATION = /^\[(\d+)\]$/;
  const SHOWN_FOR = 2400; // milliseconds of highlight

  function itemOf(link) {
    const match = CITATION.exec(link.textContent.trim());
    const message = link.closest(".message-content");
    return match && message
      ? message.querySelector(`.gc-evidence [data-number="${match[1]}"]`)
      : null;
  }

  function show(item, link) {
    item.open = true;
    item.classList.remove("gc-shown");
    void item.offsetWidth; // restarts the highlight when the same item is shown again
    item.classList.add("gc-shown");
    window.setTimeout(() => item.classList.remove("gc-shown"), SHOWN_FOR);
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    item.scrollIntoView({ block: "center", behavior: still ? "auto" : "smooth" });
    const summary = item.querySelector("summary");
    summary.focus({ preventScroll: true });
    const back = item.querySelector(".gc-back");
    if (back) back.onclick = () => {
      link.scrollIntoView({ block: "center", behavior: still ? "auto" : "smooth" });
      link.focus({ preventScroll: true });
    };
  }

  document.addEventListener(
    "click",
    (event) => {
      const link = event.target instanceof Element ? event.target.closest(".element-link") : null;
      const item = link && itemOf(link);
      if (!item) return;
      event.preventDefault();
      event.stopPropagation();
      show(item, link);
    },
    true,
  );

  function nameButtons(names) {
    for (const span of document.querySelectorAll("button > .sr-only")) {
      const name = names[span.textContent];
      if (name) span.textContent = name;
    }
    for (const button of document.querySelectorAll("button[title]")) {
      const name = names[button.title];
      if (!name) continue;
      button.title = name;
      button.setAttribute("aria-label", name);
    }
  }

  const language = navigator.language || "en-US";
  document.documentElement.lang = language;
  fetch(`/project/translations?language=${encodeURIComponent(language)}`)
    .then((response) => response.json())
    .then(({ translation }) => {
      const notice = translation.chat.watermark.replaceAll("**", "");
      document.documentElement.style.setProperty("--gc-notice", JSON.stringify(notice));
      const names = translation.graphcite?.buttons;
      if (!names) return;
      nameButtons(names);
      new MutationObserver(() => nameButtons(names)).observe(document.body, {
        childList: true,
        subtree: true,
      });
    })
    .catch((error) => console.error("The notice could not be loaded.", error));
})();
