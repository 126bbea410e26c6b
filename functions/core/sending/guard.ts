import * as user from '#core/account/user.ts';
import type { StoredAutomation } from '#core/automation/automation.store.ts';
import * as automationStore from '#core/automation/automation.store.ts';
import * as automations from '#core/automation/automation.ts';
import * as broadcasts from '#core/automation/broadcast.store.ts';
import * as sequences from '#core/automation/sequence.ts';
import { isBroadcast } from '#core/id.ts';
import { letter, type Mailer } from '#core/mail.ts';
import * as member from '#core/organization/member.ts';
import * as safeguards from '#core/organization/safeguards.ts';
import type { Table } from '#core/storage/table.store.ts';
import { PRESENT, unchanged, updateItem } from '#core/storage/write.store.ts';
import { PRODUCT } from '#shared/brand.ts';
import { findingIn, type Paused } from '#shared/guard.ts';
import { titleOf } from '#shared/providers.ts';
import { EmailSendsQuery } from '#shared/send.ts';
import { GUARDED_WORDS, guardShare, guardWindow } from '#shared/send-status.ts';
import { DAY } from '#shared/time.ts';
import { readHours, type Stream } from './guard.store.ts';
import * as log from './log/log.ts';
import { addTo, automationHash, countsByAutomation, readInParts, type Sums } from './rollup.ts';
import { hold } from './warm-up-shares.ts';

type Needs = { table: Table; now: Date; mailer: Mailer | undefined; linkTo: (automation: string) => string };

/** Pauses an automation, or warns of it, by what became of the emails that a provider took. Repeating it changes nothing. */
export async function check(needs: Needs, stream: Stream): Promise<'paused' | 'warned' | undefined> {
  const { table, now } = needs;
  const automation = await automationStore.read(table, stream.organization, stream.automation);
  if (!automation) return undefined;
  // The process that paused it may have died before it sent the letters.
  if (!automation.active) return tellOnce(needs, automation);
  const hours = await readHours(table, stream, automation, now);
  const found = findingIn(hours, now, (await safeguards.read(table, stream.organization)).pause_at_percent);
  if (!found) return undefined;
  await hold(table, automation, now);
  const paused: Paused = {
    by: 'guard',
    at: now.toISOString(),
    provider: stream.provider,
    ...found.finding,
    combination_id: found.finding.kind === 'complained' ? await outstanding(needs, stream) : null,
  };
  if (found.is === 'warn') return warn(needs, automation, paused);
  await pause(needs, automation, paused);
  const after = await automationStore.read(table, stream.organization, stream.automation);
  return after && tellOnce(needs, after);
}

const pause = (
  needs: Needs,
  { organization_id, id, sequence_id }: StoredAutomation,
  paused: NonNullable<StoredAutomation['paused']>,
): Promise<boolean> =>
  isBroadcast(id)
    ? broadcasts.stop(needs, organization_id, id, 'guard_off', paused)
    : sequence_id
      ? sequences.pauseStep(needs, { organization_id, sequence_id, id }, paused)
      : automations.pause(needs, organization_id, id, paused);

/** Once a day, as each further event would say the same. */
async function warn(
  { table, now }: Needs,
  { organization_id, id, warned }: StoredAutomation,
  finding: Paused,
): Promise<'warned' | undefined> {
  const isKnown = warned?.kind === finding.kind && Date.parse(warned.at) > now.getTime() - DAY;
  if (isKnown) return undefined;
  await updateItem(table, automationStore.key(organization_id, id), { set: { warned: finding } }, PRESENT);
  return 'warned';
}

/** So many times as often as the others. */
const STANDS_OUT = 3;
const LEAST_COMPLAINTS = 5;

/** The combination of this automation that most complain about, if it stands out. */
async function outstanding(
  { table, now }: Needs,
  { organization, automation }: Stream,
): Promise<string | null> {
  const days = [now, new Date(now.getTime() - DAY)].map(day => day.toISOString().slice(0, 10));
  const sums = new Map<string, Sums>();
  const own = new Set<string>();
  await readInParts(table, organization, { from: days[1] ?? '', to: days[0] ?? '' }, days.length, items => {
    for (const item of items) {
      addTo(sums, item);
      for (const count of countsByAutomation(item)) {
        if (count.automation === automationHash(automation)) own.add(count.combination);
      }
    }
  });
  const ranked = [...sums].filter(([id]) => own.has(id)).sort(([, a], [, b]) => b.complained - a.complained);
  const [first, ...others] = ranked;
  if (!first || first[1].complained < LEAST_COMPLAINTS) return null;
  const rest = others.reduce(
    (sum, [, { sent, complained }]) => ({ sent: sum.sent + sent, complained: sum.complained + complained }),
    { sent: 0, complained: 0 },
  );
  const rateOf = ({ sent, complained }: Pick<Sums, 'sent' | 'complained'>) => complained / Math.max(1, sent);
  return rest.sent > 0 && rateOf(first[1]) >= STANDS_OUT * rateOf(rest) ? first[0] : null;
}

const MOST_REASONS = 10;

/**
 * Mails the owners and admins. It is noted before, so that of several checks one sends; the note is taken back if no letter could
 * be sent. An address that fails does not make the others get it again.
 */
async function tellOnce(needs: Needs, automation: StoredAutomation): Promise<'paused' | undefined> {
  const { table, now, mailer, linkTo } = needs;
  const { organization_id: organization, id, name, paused } = automation;
  if (!paused || paused.told_at) return undefined;
  const note = (from: typeof paused, to: typeof paused) =>
    updateItem(
      table,
      automationStore.key(organization, id),
      { set: { paused: to } },
      unchanged({ paused: from }, ['paused']),
    );
  const noted = { ...paused, told_at: now.toISOString() };
  let failure: unknown;
  if (!mailer) await note(paused, noted);
  else {
    const reasons = await recentReasons(needs, automation);
    const told = letter(`${PRODUCT} has paused “${name}”`, [
      {
        paragraph: `Of ${paused.sent} emails of “${name}” that went by ${titleOf(paused.provider)} ${guardWindow(paused.hours)}, ${paused.events} ${GUARDED_WORDS[paused.kind]}: ${guardShare(paused)}. Before your provider stops all of your sending, this one was paused: nothing more of it is sent.`,
      },
      ...(reasons.length > 0 ? [{ paragraph: `The most recent reasons: ${reasons.join(' · ')}` }] : []),
      ...(paused.combination_id
        ? [
            {
              paragraph: `Most of the complaints are about one content, the combination ${paused.combination_id}.`,
            },
          ]
        : []),
      { paragraph: 'Look at who gets it and where their addresses come from, then activate it again.' },
      { link: linkTo(id), label: 'See what happened' },
    ]);
    const people = await user.findAll({ table }, await member.managers({ table }, organization));
    if (!(await note(paused, noted))) return undefined;
    let isTold = people.length === 0;
    for (const { email } of people) {
      try {
        await mailer.send(email, told);
        isTold = true;
      } catch (error) {
        failure = error;
      }
    }
    if (!isTold) await note(noted, paused);
  }
  if (failure) throw failure;
  return 'paused';
}

async function recentReasons(
  { table, now }: Needs,
  { organization_id, id, paused }: StoredAutomation,
): Promise<string[]> {
  if (paused?.kind !== 'bounced') return [];
  const query = EmailSendsQuery.parse({ status: 'bounced', automation: id, per_page: MOST_REASONS });
  const { data } = await log.page({ table, now }, organization_id, query);
  return data.flatMap(({ bounce_reason }) => bounce_reason ?? []);
}
