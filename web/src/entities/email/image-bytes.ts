import { useEffect, useMemo, useState } from 'react';
import { onReset } from '#web/lib/store.ts';

/** Of uploaded images, by their path. */
const known = new Map<string, number>();
onReset(() => known.clear());

export const rememberBytes = (path: string, bytes: number) => known.set(path, bytes);

/** The bytes of the uploaded images in an email, and whether it has others, whose size is not known. */
export function useImageBytes(html: string): { bytes: number; hasOthers: boolean } {
  const { own, hasOthers } = useMemo(() => imagesIn(html), [html]);
  const [, setCount] = useState(0);
  useEffect(() => {
    for (const path of own.filter(path => !known.has(path))) {
      fetch(path, { method: 'HEAD' })
        .then(({ ok, headers }) => {
          rememberBytes(path, ok ? Number(headers.get('content-length')) : 0);
          setCount(known.size);
        })
        .catch(() => undefined);
    }
  }, [own]);
  return { bytes: own.reduce((sum, path) => sum + (known.get(path) ?? 0), 0), hasOthers };
}

function imagesIn(html: string) {
  const images = [...html.matchAll(/<img src="([^"]+)"/g)].map(([, address = '']) => address);
  const files = `${location.origin}/files/`;
  const own = images.filter(address => address.startsWith(files));
  return {
    own: [...new Set(own.map(address => address.slice(location.origin.length)))],
    hasOthers: own.length < images.length,
  };
}
