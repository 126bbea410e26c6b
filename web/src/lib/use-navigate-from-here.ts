import { useLayoutEffect, useRef } from 'react';
import { useNavigate } from 'react-router';

/** For what follows a response: tells whether the user has left the page before it came. */
export function useIsLeft() {
  const isLeft = useRef(false);
  // As the page goes, and not a moment later: a response may come in between.
  useLayoutEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  return () => isLeft.current;
}

export const useNavigateFromHere = () => ({ navigate: useNavigate(), isLeft: useIsLeft() });
