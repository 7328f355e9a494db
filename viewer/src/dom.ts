// Short ways to make and find elements.

type Attributes = Record<string, string | boolean | ((event: Event) => void)>;

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag, attributes: Attributes = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (typeof value === "boolean") element.toggleAttribute(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element ${id}`);
  return element as T;
}

export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  make("a", { href: address, download: name }).click();
  // The browser reads the blob after this call.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function downloadCanvas(name: string, canvas: HTMLCanvasElement): void {
  canvas.toBlob((blob) => {
    if (blob !== null) download(name, blob);
  }, "image/png");
}

/** Names of files may not have what paths of channels have. */
export function fileName(...parts: string[]): string {
  return parts.join("_").replace(/[^\p{L}\p{N}._-]+/gu, "_");
}

/** Leaves the page alone if nothing changes; for what is written in every frame. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
