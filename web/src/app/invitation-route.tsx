import { useEffect, useEffectEvent, useRef } from 'react';
import { InvitationPage } from '../features/invitation/invitation-page.tsx';
import { useOrganizations } from '../features/organization/use-organizations.ts';

/** Whoever joins an organization goes on in it. */
export function InvitationRoute() {
  const { all, activate } = useOrganizations();
  const before = useRef(all);
  const follow = useEffectEvent((now: typeof all) => {
    const joined = before.current && now?.find(({ id }) => !before.current?.some(one => one.id === id));
    before.current = now;
    if (joined) activate(joined.id);
  });
  useEffect(() => follow(all), [all]);
  return <InvitationPage />;
}
