import { isUndelivered } from '#core/sending/batch/outcome.ts';
import { page } from '#core/sending/log/log.ts';
import type { EmailSend } from '#shared/send.ts';
import type { SendStatus } from '#shared/send-status.ts';
import { endings, isDeleted } from './endings.ts';
import type { FinishedRun, Violation } from './invariants.ts';

const PER_PAGE = 100;

/** Reads the log as users do, and compares it with the outcome of each email. */
export async function readLog(run: FinishedRun): Promise<Violation[]> {
  const { history, model } = run;
  const found: Violation[] = [];
  for (const { id } of model.organizations.filter(one => !isDeleted(history, one.id))) {
    for (const status of [undefined, 'failed', 'unknown', 'skipped'] as const) {
      const expected = new Set(expectedOf(run, id, status));
      const shown = (await allPages(run, id, status)).map(nameOf);
      const wrong = [
        ...shown.filter((name, at) => !expected.has(name) || shown.indexOf(name) !== at),
        ...[...expected].filter(name => !shown.includes(name)).map(name => `${name} is missing`),
      ];
      const invariant = 'the log shows what became of each email';
      found.push(...wrong.map(name => ({ invariant, found: `${id}, ${status ?? 'all'}: ${name}` })));
    }
  }
  return found;
}

/** The name of an email by its claim. A skipped one is named by what was due, without its pack. */
const nameOf = ({ id, status, reason }: EmailSend) =>
  status === 'skipped'
    ? `skipped ${skipName(id.split('.'))} ${reason === null ? 'for no reason' : ''}`.trim()
    : `${status} ${id}`;
const skipName = ([minute, hash, list, automation]: string[]) => [minute, hash, list, automation].join('.');

function expectedOf(
  { history }: FinishedRun,
  organization: number,
  status: SendStatus | undefined,
): string[] {
  if (status === 'skipped') {
    return history.skips
      .filter(one => one.organization === organization)
      .map(({ minute, hash, list, automation }) => `skipped ${skipName([minute, hash, list, automation])}`);
  }
  return [...endings(history)].flatMap(([{ id, organization: of, releasedAt, marks }, state]) => {
    const shown = state === 'sent' && isUndelivered({ status: state }, marks) ? 'failed' : state;
    const isAsked = status === undefined || status === state || status === shown;
    const isShown = of === organization && releasedAt === undefined && isAsked;
    return isShown ? [`${shown} ${id.replace(/^\d+-/, '')}`] : [];
  });
}

async function allPages({ environment }: FinishedRun, organization: number, status: SendStatus | undefined) {
  const needs = { table: environment.stillTable, now: environment.scheduler.now() };
  const all: EmailSend[] = [];
  for (let number = 1; ; number++) {
    const { data, meta } = await page(needs, organization, { page: number, per_page: PER_PAGE, status });
    all.push(...data);
    if (meta.current_page >= meta.last_page) return all;
  }
}
