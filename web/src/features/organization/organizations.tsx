import { createContext, Fragment, type ReactNode, useContext, useEffect, useState } from 'react';
import type { Organization } from '../../../../shared/organization.ts';
import { useForgetOrganization, usePersonalData } from '../../lib/data.ts';
import {
  chooseOrganization,
  OrganizationContext,
  storedOrganization,
  storeOrganization,
} from '../../lib/organization.ts';

const REFRESH = 60_000;

type Organizations = {
  /** Undefined until they are loaded. */
  all: Organization[] | undefined;
  active: Organization | undefined;
  /** Whether they are known, or known to be out of reach. */
  settled: boolean;
  activate: (id: number) => void;
};

const Context = createContext<Organizations>({
  all: undefined,
  active: undefined,
  settled: false,
  activate: () => undefined,
});
export const useOrganizations = () => useContext(Context);

/** Knows the user's organizations and which of them is active. */
export function OrganizationsProvider({ signedIn, children }: { signedIn: boolean; children: ReactNode }) {
  const { data: all, error } = usePersonalData(signedIn ? 'GET /api/organizations' : undefined, {
    refreshInterval: REFRESH,
  });
  const [chosen, setChosen] = useState(storedOrganization);
  const forgetOrganization = useForgetOrganization();
  const active = chooseOrganization(all ?? [], chosen);

  useEffect(() => {
    if (active) storeOrganization(active.id);
  }, [active]);

  // The switcher keeps showing what it has; the page itself says when its own data cannot be had.
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: a failed load of the organizations is only logged
    if (error) console.warn('The organizations could not be loaded.', error);
  }, [error]);

  function activate(id: number) {
    if (active) forgetOrganization(active.id);
    storeOrganization(id);
    setChosen(String(id));
  }

  return (
    <Context value={{ all, active, settled: Boolean(all || error), activate }}>
      <OrganizationContext value={active}>{children}</OrganizationContext>
    </Context>
  );
}

/** What stands within an organization: it waits for the first, and begins anew when another becomes active. */
export function WithinOrganization({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  const { active, settled } = useOrganizations();
  return settled ? <Fragment key={active?.id}>{children}</Fragment> : waiting;
}
