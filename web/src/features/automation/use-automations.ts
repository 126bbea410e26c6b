import { mutate } from 'swr';
import type { Automation } from '../../../../shared/automation.ts';
import { AUTOMATIONS_PAGE } from '../../../../shared/limits.ts';
import { useLeaveMissing } from '../../components/use-leave-missing.ts';
import { isKeyOf } from '../../lib/cache-key.ts';
import { useOrganizationCall, useOrganizationData, useReadCache } from '../../lib/data.ts';
import { paths } from '../../lib/paths.ts';
import { AUTOMATION_MISSING, LOADING_FAILED } from './automation-texts.ts';

const ALL = 'GET /api/automations';
const ONE = 'GET /api/automations/{automation}';

/** All automations, page by page. */
export function useAutomations() {
  const call = useOrganizationCall();
  const fetcher = async () => {
    // By id: while the pages are read, a new one may move others to the next page.
    const all = new Map<string, Automation>();
    for (let page = 1; ; page++) {
      const rows = await call(ALL, { query: { page } });
      for (const automation of rows) all.set(automation.id, automation);
      if (rows.length < AUTOMATIONS_PAGE) return [...all.values()];
    }
  };
  return useOrganizationData(ALL, {}, { fetcher });
}

/** An automation as the table of automations showed it, if that was loaded. */
export function useKnownAutomation(id: string) {
  const [automations] = useReadCache()(ALL);
  return automations?.data.find(automation => automation.id === id);
}

/** The automation of a page. Only the page calls this, so that a missing one is reported once. */
export function useAutomation(id: string) {
  const input = { params: { automation: id } };
  const response = useOrganizationData(ONE, input);
  useLeaveMissing(paths.automations(), {
    route: ONE,
    input,
    response,
    noun: 'automation',
    missing: AUTOMATION_MISSING,
    failed: LOADING_FAILED,
    back: 'Back to Automations',
  });
  return response;
}

const isAll = (key: unknown) => isKeyOf(key, ALL);
const isOneOf = (id: string) => (key: unknown) => isKeyOf(key, ONE) && key.input?.params.automation === id;

/** Updates an automation in all cached responses, or adds one that was created. */
export async function updateAutomationInCache(automation: Automation) {
  const { id } = automation;
  const updated = (all?: Automation[]) =>
    all?.some(other => other.id === id)
      ? all.map(other => (other.id === id ? automation : other))
      : all && [...all, automation];
  await mutate<Automation[]>(isAll, updated, { revalidate: false });
  await mutate(isOneOf(id), automation, { revalidate: false });
}

/** Removes a deleted automation from all cached responses. */
export async function removeAutomationFromCache(id: string) {
  const without = (all?: Automation[]) => all?.filter(automation => automation.id !== id);
  await mutate<Automation[]>(isAll, without, { revalidate: false });
  await mutate(isOneOf(id), undefined, { revalidate: false });
}
