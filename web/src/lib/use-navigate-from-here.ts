import { useLayoutEffect, useRef } from 'react';
import { useNavigate } from 'react-router';

/** For a navigation that follows a response: `isLeft` says whether the user has left the page before it came. */
export function useNavigateFromHere() {
  const navigate = useNavigate();
  const isLeft = useRef(false);
  // As the page goes, and not a moment later: a response may come in between.
  useLayoutEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  return { navigate, isLeft: () => isLeft.current };
}
