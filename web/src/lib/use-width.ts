import { useCallback, useState } from 'react';

/** The width of an element in pixels, which is 0 until it is measured. */
export function useWidth() {
  const [width, setWidth] = useState(0);
  const measured = useCallback((frame: HTMLElement | null) => {
    if (!frame) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    setWidth(frame.clientWidth);
    observer.observe(frame);
    return () => observer.disconnect();
  }, []);
  return [width, measured] as const;
}
