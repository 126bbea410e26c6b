import type { Meaning, ProviderEvent } from '#core/provider.ts';
import { fieldOf, reasonOf, sendIn } from '../event.ts';

/**
 * Undefined where it says nothing that is noted, or is about no email of ours.
 * https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html, as EventBridge passes it on
 */
export function readSesEvent(detail: unknown): ProviderEvent | undefined {
  const type = fieldOf(detail, 'eventType');
  const kind = typeof type === 'string' && Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  const [send] = listOf(fieldOf(fieldOf(fieldOf(detail, 'mail'), 'tags'), 'send')).map(sendIn);
  return kind && send
    ? { send, provider: 'ses', reason: '', ...kind.read(fieldOf(detail, kind.in)) }
    : undefined;
}

type Kind = { in: string; read: (said: unknown) => { meaning: Meaning; reason?: string } };

const KINDS: Record<string, Kind> = {
  Bounce: { in: 'bounce', read: bounced },
  Complaint: {
    in: 'complaint',
    read: said => ({ meaning: isSuppressed(said, 'complaintSubType') ? 'rejected' : 'complaint' }),
  },
  Delivery: { in: 'delivery', read: () => ({ meaning: 'delivered' }) },
  Reject: { in: 'reject', read: rejected('reason') },
  'Rendering Failure': { in: 'failure', read: rejected('errorMessage') },
};

/** Because of what an earlier email met: this one was not tried. */
const SUPPRESSED: unknown[] = ['Suppressed', 'OnAccountSuppressionList', 'OnTenantSuppressionList'];

const isSuppressed = (said: unknown, type: string) => SUPPRESSED.includes(fieldOf(said, type));

function bounced(said: unknown): { meaning: Meaning; reason: string } {
  const [recipient] = listOf(fieldOf(said, 'bouncedRecipients'));
  const isHard = fieldOf(said, 'bounceType') === 'Permanent';
  return {
    meaning: isSuppressed(said, 'bounceSubType') ? 'rejected' : isHard ? 'hard' : 'soft',
    reason: reasonOf(undefined, fieldOf(recipient, 'status'), words(recipient)),
  };
}

function rejected(field: string): Kind['read'] {
  return said => ({ meaning: 'rejected', reason: reasonOf(undefined, undefined, fieldOf(said, field)) });
}

/** Without the kind of the code: `smtp; 550 5.1.1 user unknown`. */
function words(recipient: unknown): unknown {
  const code = fieldOf(recipient, 'diagnosticCode');
  return typeof code === 'string' ? code.replace(/^\s*[\w-]+;\s*/, '') : code;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
