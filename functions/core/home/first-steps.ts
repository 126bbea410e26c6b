import * as automationStore from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import * as content from '#core/content/content.store.ts';
import { withVerified } from '#core/list/identity.store.ts';
import type { CountedList } from '#core/list/list.store.ts';
import * as listStore from '#core/list/list.store.ts';
import * as organizationStore from '#core/organization/organization.store.ts';
import type { Active } from '#core/organization/organization.ts';
import * as reports from '#core/reporting/report.ts';
import * as rollup from '#core/sending/rollup.ts';
import type { Table } from '#core/storage/table.store.ts';
import { REQUIRED_PARTS } from '#shared/email/content.ts';
import { FIRST_STEPS, type FirstStep, type FirstSteps } from '#shared/first-steps.ts';
import { byName } from '#shared/names.ts';

type Needs = { table: Table; now: Date };
type Organization = Active['organization'];

const HIDDEN: FirstSteps = {
  is_shown: false,
  is_dismissed: false,
  steps: [],
  list_id: null,
  automation_id: null,
};

/** They end at the first open, or a month after the first email: what fails or is deleted later does not bring them back. */
export async function firstSteps(needs: Needs, { organization }: Active): Promise<FirstSteps> {
  if (organization.steps_dismissed_at) return { ...HIDDEN, is_dismissed: true };
  const { isOld, sent, opened } = await readBeginning(needs, organization.id);
  if (isOld || opened) return HIDDEN;
  const { facts, list_id, automation_id } = await readSetup(needs.table, organization);
  const done = { ...facts, sent, opened };
  // An organization that has sent before has done the earlier steps, even if what they created is deleted.
  const isDone = (step: FirstStep) => done[step] || (sent && step !== 'opened');
  const steps = FIRST_STEPS.map(step => ({ step, is_done: isDone(step) }));
  return { is_shown: true, is_dismissed: false, steps, list_id, automation_id };
}

/** For a new organization, the last days are its whole history. */
async function readBeginning({ table, now }: Needs, organization: number) {
  const days = await rollup.firstAndLast(table, organization);
  const range = reports.lastDays(reports.RECENT_DAYS, now);
  if (!days) return { isOld: false, sent: false, opened: false };
  if (days.first < range.start_date) return { isOld: true, sent: true, opened: true };
  const { sent, opened } = await reports.totalOf(table, organization, range);
  return { isOld: false, sent: sent > 0, opened: opened > 0 };
}

async function readSetup(table: Table, organization: Organization) {
  const { id } = organization;
  const [allLists, allAutomations, counts] = await Promise.all([
    listStore.readAll(table, id).then(all => withVerified(table, all.sort(byName))),
    readAutomations(table, id),
    content.readCounts(table, id),
  ]);
  const able = allAutomations.filter(({ isAble }) => isAble);
  const isActivated = able.some(({ active }) => active);
  const facts: Record<Exclude<FirstStep, 'sent' | 'opened'>, boolean> = {
    list: allLists.length > 0,
    key: allLists.some(isConnected),
    members: allLists.some(({ counts }) => counts.total > 0),
    content: counts.template > 0 || counts.asset >= REQUIRED_PARTS.length,
    automation: able.length > 0,
    // Once an automation is active, there is nothing left to try before.
    simulation: organization.simulated_at !== undefined || isActivated,
    activation: isActivated,
  };
  const lacking =
    allLists.find(list => !isConnected(list)) ?? allLists.find(({ counts }) => counts.total === 0);
  const next = facts.automation ? able[0] : allAutomations[0];
  return { facts, list_id: (lacking ?? allLists[0])?.id ?? null, automation_id: next?.id ?? null };
}

/** A list whose key was tested, or that has members, counts as set up even if its key is refused or replaced by now. */
const isConnected = ({ connection, sending_key, is_verified, counts }: CountedList) =>
  connection !== undefined || is_verified === true || (sending_key !== undefined && counts.total > 0);

// A new organization has few automations.
const MOST_AUTOMATIONS = 100;

async function readAutomations(table: Table, organization: number) {
  const first = (await automationStore.readAll(table, organization)).slice(0, MOST_AUTOMATIONS);
  const ids = first.map(({ id }) => id);
  const linked = await automationStore.readLinked(table, organization, ids);
  return first.map(({ id, active, email_list_ids }) => ({
    id,
    active,
    isAble: email_list_ids.length > 0 && automations.eligibilityOf(linked.get(id)).is_eligible,
  }));
}

/** For all members of the organization, or shows them again. Repeating it changes nothing. */
export async function dismiss({ table, now }: Needs, { organization }: Active, dismissed: boolean) {
  const at = dismissed ? now.toISOString() : undefined;
  if (await organizationStore.dismissSteps(table, organization.id, at)) return;
  throw organizationStore.organizationGone();
}

/** Records the first simulation of an organization. Later ones write nothing. */
export async function recordSimulation({ table, now }: Needs, { organization }: Active): Promise<void> {
  if (organization.simulated_at) return;
  await organizationStore.storeFirstSimulation(table, organization.id, now.toISOString());
}
