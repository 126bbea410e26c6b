import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';

/** After an answer that was waited for: nobody is led away from another page to which they have gone meanwhile. */
export function useNavigateFromHere() {
  const navigate = useNavigate();
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  return { navigate, isLeft: () => isLeft.current };
}
