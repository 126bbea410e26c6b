/** Saves a file of this name. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: name });
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const LONGEST_NAME = 80;

/** A text as a part of the name of a file, whatever the system allows there. */
export const fileNameOf = (text: string) =>
  text
    .replace(/[^\p{L}\p{N}@+_. -]+/gu, '-')
    .replace(/^[. -]+|[. -]+$/g, '')
    .slice(0, LONGEST_NAME) || 'export';

export const today = () => new Date().toISOString().slice(0, 10);
