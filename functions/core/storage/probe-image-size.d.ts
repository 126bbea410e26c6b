// The library has no types of its own. These are the types of the part that is used: the parsers, which read bytes in
// memory.
declare module 'probe-image-size/sync.js' {
  type Header = { mime: string; width: number; height: number; orientation?: number };
  type Parser = (bytes: Uint8Array) => Header | undefined;
  const probe: { parsers: Record<'png' | 'jpeg' | 'gif' | 'webp' | 'avif' | 'bmp' | 'ico', Parser> };
  export default probe;
}
