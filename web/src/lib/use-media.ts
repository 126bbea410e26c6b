import { useCallback, useSyncExternalStore } from 'react';

/** Devices that cannot hover, such as phones, have no keyboard either but one that covers the page. */
export const canHover = () => matchMedia('(hover: hover)').matches;

/** Whether the page matches a media query, such as `(min-width: 80rem)`. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
