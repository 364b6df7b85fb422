/** Small helpers around the document; text is only ever set as text. */

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element #${id}`);
  return found as T;
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

export function chosen(name: string): string {
  return document.querySelector<HTMLInputElement>(`input[name="${name}"]:checked`)?.value ?? "";
}

export function onChoice(name: string, action: (value: string) => void): void {
  for (const input of document.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`)) {
    input.addEventListener("change", () => action(input.value));
  }
}

export function choose(name: string, value: string): void {
  const input = document.querySelector<HTMLInputElement>(`input[name="${name}"][value="${value}"]`);
  if (input && !input.checked) {
    input.checked = true;
    input.dispatchEvent(new Event("change"));
  }
}

export function notify(message: string, bad = true): void {
  const close = make("button", { type: "button", className: "quiet", textContent: "Close" });
  const notice = make("div", { className: bad ? "notice bad" : "notice" }, make("p", { textContent: message }), close);
  close.addEventListener("click", () => notice.remove());
  const box = byId("notices");
  while (box.childElementCount >= 3) box.firstElementChild?.remove();
  box.append(notice);
  if (!bad) setTimeout(() => notice.remove(), 6000);
}

export function fillFacts(list: HTMLElement, facts: [string, string][]): void {
  list.replaceChildren(
    ...facts.flatMap(([name, value]) => [make("dt", { textContent: name }), make("dd", { textContent: value })]),
  );
}

/** A colour of the style sheet, as it is in the present theme. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
