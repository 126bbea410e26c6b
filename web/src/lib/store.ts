import { useSyncExternalStore } from 'react';

/** A value outside of the tree of components that they can follow. */
export function store<Value>(initial: Value) {
  let value = initial;
  const followers = new Set<() => void>();
  const get = () => value;
  const follow = (follower: () => void) => {
    followers.add(follower);
    return () => followers.delete(follower);
  };
  return {
    get,
    set(next: Value) {
      value = next;
      for (const follower of followers) follower();
    },
    use: () => useSyncExternalStore(follow, get),
  };
}
