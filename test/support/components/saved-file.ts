import { beforeEach, vi } from 'vitest';

/** The last file that the page has saved in a test; undefined if there is none. */
export function watchSavedFile() {
  let saved: { name: string; content: Blob } | undefined;
  beforeEach(() => {
    let content = new Blob();
    saved = undefined;
    vi.spyOn(URL, 'createObjectURL').mockImplementation(blob => {
      content = blob as Blob;
      return '#';
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved = { name: this.download, content };
    });
  });
  return () => saved;
}
