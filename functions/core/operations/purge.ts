import * as automation from '#core/automation/automation.store.ts';
import * as broadcast from '#core/automation/broadcast.store.ts';
import * as sequence from '#core/automation/sequence.store.ts';
import * as content from '#core/content/content.store.ts';
import * as counts from '#core/list/counts.ts';
import * as events from '#core/list/event/event.store.ts';
import * as identity from '#core/list/identity.ts';
import * as list from '#core/list/list.ts';
import * as memberImport from '#core/list/member-import/member-import.store.ts';
import * as tracking from '#core/list/tracking-domain.ts';
import * as webhookPosts from '#core/list/unsubscribe-webhook/posts.store.ts';
import * as webhooks from '#core/list/unsubscribe-webhook/unsubscribe-webhook.ts';
import * as invitation from '#core/organization/invitation.store.ts';
import * as member from '#core/organization/member.ts';
import * as organizationStore from '#core/organization/organization.store.ts';
import * as record from '#core/organization/record.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import * as switches from '#core/organization/switches.ts';
import * as plan from '#core/plan/plan.store.ts';
import type { Domains } from '#core/provider.ts';
import * as recipient from '#core/recipient/recipient.ts';
import * as suppressions from '#core/recipient/suppression.ts';
import * as triggers from '#core/recipient/trigger.ts';
import * as value from '#core/reporting/value.ts';
import * as batch from '#core/sending/batch/batch.store.ts';
import * as eventIndex from '#core/sending/event-index.store.ts';
import * as guard from '#core/sending/guard.store.ts';
import * as pack from '#core/sending/pack.ts';
import * as rollup from '#core/sending/rollup.ts';
import * as skip from '#core/sending/skip.store.ts';
import { ADDED, broadcastsIn, purgeSources } from '#core/sources/source.ts';
import { filesOf, type Objects } from '#core/storage/logo.ts';
import { type Asked, doneWrite, type Job, read, readAll, requestWrite } from '#core/storage/purge-request.ts';
import type { Table } from '#core/storage/table.store.ts';
import { commit, conditionsHeld, type Write } from '#core/storage/write.store.ts';
import { ALL_LISTS } from '#shared/unsubscribe-webhook.ts';

/** Deletes a bounded number of items at each iteration. */
type Step = AsyncGenerator<unknown, void>;
type Plan = {
  steps: Step[];
  /** The writes of the transaction that ends the job. They delete the items from which all others are found. */
  last: Write[];
};

/** In seconds: the longest delay of SQS and of a Lambda function, after which no process has seen it alive. */
export const PURGE_AFTER = 15 * 60;

/** Requests all purges again that are not done, as the message that starts one may be lost. */
export async function requestAgain(table: Table, now: Date): Promise<number> {
  const all = await readAll(table);
  for (const { organization_id, list_id } of all) {
    await commit(table, [
      requestWrite(table, { organization_id, ...(list_id !== undefined && { list_id }) }, now),
    ]);
  }
  return all.length;
}

type Needs = { table: Table; hasTimeLeft: () => boolean; queue: (asked: Asked) => Promise<void> };

/** Every step only deletes, so it may be repeated. A purge that was requested again is left to that request. */
export async function round(
  { table, hasTimeLeft, queue }: Needs,
  asked: Asked,
  planOf: (job: Job) => Plan,
): Promise<'done' | 'continues' | 'obsolete'> {
  const job = await read(table, asked);
  if (!job || job.ticket !== asked.ticket) return 'obsolete';
  const { steps, last } = planOf(job);
  for (const step of steps) {
    for await (const _ of step) {
      if (hasTimeLeft()) continue;
      await queue(asked);
      return 'continues';
    }
  }
  return (await conditionsHeld(commit(table, [...last, doneWrite(table, job)]))) ? 'done' : 'obsolete';
}

type PlanNeeds = {
  table: Table;
  objects: Pick<Objects, 'remove' | 'deletePage'>;
  now: () => Date;
  purgeAnswers: (table: Table, organization: number) => Promise<boolean>;
  domains: Domains;
  trackingDomains: Pick<tracking.TrackingDomains, 'remove'>;
};

/** The steps of a purge, in order. A new kind of item needs a step here. */
export const planOf = (needs: PlanNeeds, { organization_id, list_id, logo }: Job): Plan =>
  list_id === undefined
    ? organizationPlan(needs, organization_id)
    : listPlan(needs, { organization: organization_id, id: list_id, logo });

const organizationPlan = (
  { table, objects, now, purgeAnswers, domains, trackingDomains }: PlanNeeds,
  id: number,
): Plan => ({
  steps: [
    whileMore(() => invitation.purgeSome(table, id)),
    whileMore(() => member.purgeSome(table, id)),
    whileMore(() => list.purgeSome({ table, now: now() }, id)),
    once(() => identity.purge({ table, domains }, id)),
    whileMore(() => webhookPosts.purgeSome(table, id)),
    whileMore(() => webhooks.purgeSome(table, id, ALL_LISTS)),
    whileMore(() => events.purgeSome(table, id)),
    whileMore(() => automation.purgeSome(table, id)),
    whileMore(() => sequence.purgeSome(table, id)),
    whileMore(() => purgeSources(table, id)),
    whileMore(() => content.purgeSome(table, id)),
    recipient.purgePeople(table, id),
    // After the claims, as a batch is created for existing claims.
    whileMore(() => batch.purgeSome(table, id)),
    whileMore(() => skip.purgeSome(table, id)),
    whileMore(() => pack.purgeSome(table, id)),
    whileMore(() => value.purgeSome(table, id)),
    whileMore(() => rollup.purgeSome(table, id)),
    whileMore(() => guard.purgeSome(table, id)),
    // After the rollups, as the projector adds an entry as long as a rollup counts it.
    whileMore(() => eventIndex.purgeSome(table, id)),
    whileMore(() => suppressions.purgeStopped(table, id)),
    whileMore(() => switches.purgeSome(table, id)),
    whileMore(() => record.purgeSome(table, id)),
    whileMore(() => plan.purgeSome(table, id)),
    whileMore(() => purgeAnswers(table, id)),
    whileMore(() => objects.deletePage(filesOf(id))),
    // The last one, as it fails until a domain is served nowhere.
    once(() => tracking.purge({ table, trackingDomains }, id)),
  ],
  last: [
    invitation.pendingDeleteWrite(table, id),
    safeguards.safeguardsDeleteWrite(table, id),
    organizationStore.metaDeleteWrite(table, id),
  ],
});

/** The steps of the purge of a list. Journals of people are kept, as they may be in other lists. */
const listPlan = (
  { table, objects, now, domains }: PlanNeeds,
  { organization, id, logo }: { organization: number; id: string; logo: string | undefined },
): Plan => ({
  steps: [
    stopBroadcasts({ table, now }, organization, id),
    once(() => identity.releaseUnused({ table, domains }, organization)),
    once(() => counts.deleteCounts(table, id)),
    recipient.purgeMemberships(table, id),
    whileMore(() => triggers.purgeTriggers(table, id, ADDED)),
    whileMore(() => purgeSources(table, organization, id)),
    // After the memberships, as a change of one may write trigger rows in a column.
    whileMore(() => purgeColumns(table, id)),
    whileMore(() => memberImport.purgeSome(table, organization, id)),
    whileMore(() => webhooks.purgeSome(table, organization, id)),
    once(async () => logo && objects.remove(logo.slice(1))),
  ],
  last: [],
});

/** Before their passes over the list are deleted: nothing else would end them. */
async function* stopBroadcasts(
  { table, now }: Pick<PlanNeeds, 'table' | 'now'>,
  organization: number,
  list: string,
): Step {
  for (const id of await broadcastsIn(table, organization, list)) {
    yield await broadcast.stop({ table, now: now() }, organization, id, 'list_off');
  }
}

/** Deletes a column after its trigger rows, which are found by it. */
async function purgeColumns(table: Table, list_id: string): Promise<boolean> {
  const [column] = await counts.firstColumns(table, list_id);
  if (column === undefined) return false;
  const hasMore = await triggers.purgeTriggers(table, list_id, column);
  if (!hasMore) await counts.deleteColumn(table, list_id, column);
  return true;
}

const once = (remove: () => Promise<unknown>): Step =>
  whileMore(async () => {
    await remove();
    return false;
  });

async function* whileMore(deleteSome: () => Promise<boolean>): Step {
  while (await deleteSome()) yield;
}
