import type { Automation } from '#shared/automation.ts';
import { PRODUCT } from '#shared/brand.ts';
import type { Organization } from '#shared/organization.ts';
import type { Action } from '#shared/permissions.ts';
import { neverSends } from '#shared/schedule.ts';
import { dialogPath, paths } from '#web/lib/paths.ts';

export const NO_LISTS = 'No email list is connected: nothing is sent until there is one.';
export const NEVER_SENDS = 'Its schedule stops before it starts: nothing is ever sent.';

/** The advice for an automation that is not eligible. All places use this text. */
export const NOTHING_TO_SEND =
  'Nothing to send: link an active template, or one active asset of each of five types.';
/** What becomes of the emails of an active automation until then. */
export const SKIPPED_UNTIL = 'Emails that are due until then are skipped, and are not sent later.';
export const LINK_CONTENT = 'Link content';

export type Obstacle = {
  text: string;
  /** How to fix it, and where. The button that activates an automation is on its page. */
  mend?: { label: string; to: string; right?: Action };
  isWrong?: boolean;
};

const KEYS = {
  inactive: '',
  no_key: ', which has no sending key',
  not_verified: ', whose domain is not verified at Amazon SES',
  key_refused: ', whose sending key is refused',
};

/** An automation or a sequence. */
export type Mailing = Pick<Automation, 'active' | 'email_lists'> & Partial<Pick<Automation, 'paused'>>;

/** What an active automation is paused by: the organization, or all of its lists. All places use this text. */
export function pausedBy(
  { active, paused, email_lists: [list, ...others] }: Mailing,
  organization?: Organization,
): string | undefined {
  if (!active) return paused ? `Paused by ${PRODUCT}` : undefined;
  if (organization && !organization.active) return 'Paused by the organization';
  if (!list?.paused || !others.every(({ paused }) => paused)) return undefined;
  if (others.length > 0) return `Paused by its ${others.length + 1} lists`;
  return `Paused by the list ${list.name}${KEYS[list.paused]}`;
}

/** What an automation needs before it can send anything, in a word or two. */
export const lackOf = ({ email_eligibility, email_lists, ...schedule }: Automation): string | undefined =>
  email_eligibility?.is_eligible === false
    ? 'nothing to send'
    : email_lists.length === 0
      ? 'no list'
      : neverSends(schedule)
        ? 'stops before it starts'
        : undefined;

/** Whether an automation or a sequence sends, and why not: one status on all screens. */
export function sendingOf(mailing: Mailing, lack: string | undefined, organization?: Organization) {
  if (lack !== undefined && !mailing.paused)
    return { tone: 'attention', text: `Not ready: ${lack}` } as const;
  const paused = pausedBy(mailing, organization);
  if (paused !== undefined) return { tone: 'attention', text: paused } as const;
  return mailing.active
    ? ({ tone: 'usual', text: 'Sending' } as const)
    : ({ tone: 'off', text: 'Inactive' } as const);
}

export function pauseOf(mailing: Mailing, organization?: Organization): Obstacle | false {
  const paused = pausedBy(mailing, organization);
  const [list] = mailing.email_lists;
  return (
    paused !== undefined && {
      text: `${paused}: nothing is sent.`,
      ...(organization?.active !== false &&
        list && { mend: { label: 'See the list', to: paths.list(list.id) } }),
    }
  );
}

/** Why an automation sends nothing, even if emails are due; what the guard says of it stands apart. */
export function obstaclesOf(automation: Automation, organization?: Organization): Obstacle[] {
  const { id, active, email_eligibility, email_lists, sequence_id } = automation;
  const to = sequence_id ? paths.editSequence(sequence_id) : paths.editAutomation(id);
  const edit = { to, right: 'automations:edit' } as const;
  return [
    // A step is switched by its sequence, to which its page leads.
    !active &&
      !automation.paused &&
      !sequence_id && { text: 'This automation is inactive: nothing is sent until it is activated.' },
    active && pauseOf(automation, organization),
    !email_eligibility?.is_eligible && {
      text: active ? `${NOTHING_TO_SEND} ${SKIPPED_UNTIL}` : NOTHING_TO_SEND,
      mend: { label: LINK_CONTENT, to: dialogPath('content', id), right: 'content:edit' as const },
    },
    email_lists.length === 0 && { text: NO_LISTS, mend: { label: 'Connect a list', ...edit } },
    neverSends(automation) && { text: NEVER_SENDS, mend: { label: 'Edit its schedule', ...edit } },
  ].filter(obstacle => obstacle !== false);
}
