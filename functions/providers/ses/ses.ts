import type { BulkEmailStatus, GetAccountResponse, SendBulkEmailRequest } from '@aws-sdk/client-sesv2';
import type { Outcome, Pace, Provider } from '#core/provider.ts';
import { wasConnected } from '../connection.ts';
import { type Answer, notSent, postInGroups } from '../groups.ts';
import { bulkOf, isSendable } from './bulk.ts';
import { client, type Place, placeOf, type SesClient } from './client.ts';

type Settings = {
  placeOf: (organization: number) => Place;
  pause: (milliseconds: number) => Promise<unknown>;
};

// As many as one call of Mailgun takes: what is claimed together has one size.
const MOST_EMAILS = 1_000;
// https://docs.aws.amazon.com/ses/latest/dg/quotas.html
const MOST_DESTINATIONS = 50;
// https://docs.aws.amazon.com/ses/latest/dg/send-personalized-email-api.html: of the JSON, with an inline template.
const MOST_BYTES = 1_000_000;
// https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ReplacementTemplate.html
const MOST_DATA = 262_144;
const SECOND = 1_000;

/** SES has no test mode: a list in test mode sends to the mailbox simulator, which takes emails and delivers none. */
export function createSes(client: SesClient, { placeOf, pause }: Settings): Provider {
  // When the next call may be made, of all that this process makes: batches of a pack follow each other.
  let free: Promise<unknown> = Promise.resolve();

  return {
    most: MOST_EMAILS,
    async post(access, emails, mayContinue) {
      const place = placeOf(access.organization);
      const sendable = emails.filter(isSendable);
      const { perSecond = Number.POSITIVE_INFINITY } = access;
      const outcomes = await postInGroups(sendable, {
        // SES takes no more at once than in a second.
        most: Math.min(MOST_DESTINATIONS, Math.max(1, Math.floor(perSecond))),
        message: group => bulkOf(access, place, group),
        fits: fitsOneCall,
        async post(request) {
          const turn = free;
          const { length } = request.BulkEmailEntries ?? [];
          if (Number.isFinite(perSecond)) free = turn.then(() => pause((length / perSecond) * SECOND));
          await turn;
          return (await mayContinue()) ? answerTo(client, request) : notSent('interrupted');
        },
      });
      const byEmail = new Map(sendable.map((email, at) => [email, outcomes[at]]));
      return emails.map((email): Outcome => byEmail.get(email) ?? REFUSED);
    },
    pace: async () => paceIn(await client.getAccount()),
  };
}

const fitsOneCall = (request: SendBulkEmailRequest) =>
  (request.BulkEmailEntries ?? []).every(
    ({ ReplacementEmailContent: content }) =>
      (content?.ReplacementTemplate?.ReplacementTemplateData ?? '').length <= MOST_DATA,
  ) && Buffer.byteLength(JSON.stringify(request)) <= MOST_BYTES;

const ACCEPTED: Outcome = { kind: 'accepted' };
const REFUSED: Outcome = { kind: 'refused' };
const UNKNOWN: Outcome = { kind: 'unknown' };
const DENIED = notSent('denied');
/** Too many at once. */
const THROTTLED = notSent('throttled', 30);
/** Nothing more is taken for a while. */
const CLOSED = notSent('throttled', 15 * 60);

// https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_BulkEmailEntryResult.html
const OUTCOMES: Record<BulkEmailStatus, Outcome> = {
  SUCCESS: ACCEPTED,
  MESSAGE_REJECTED: REFUSED,
  INVALID_PARAMETER: REFUSED,
  ACCOUNT_THROTTLED: THROTTLED,
  ACCOUNT_DAILY_QUOTA_EXCEEDED: CLOSED,
  ACCOUNT_SENDING_PAUSED: CLOSED,
  CONFIGURATION_SET_SENDING_PAUSED: CLOSED,
  MAIL_FROM_DOMAIN_NOT_VERIFIED: DENIED,
  CONFIGURATION_SET_NOT_FOUND: DENIED,
  TEMPLATE_NOT_FOUND: DENIED,
  INVALID_SENDING_POOL_NAME: DENIED,
  ACCOUNT_SUSPENDED: DENIED,
  TRANSIENT_FAILURE: UNKNOWN,
  FAILED: UNKNOWN,
};

// Exceptions of the operation, and those of every call: https://docs.aws.amazon.com/ses/latest/APIReference-V2/CommonErrors.html
const EXCEPTIONS: Record<string, Answer> = {
  TooManyRequestsException: THROTTLED,
  LimitExceededException: THROTTLED,
  ThrottlingException: THROTTLED,
  SendingPausedException: CLOSED,
  AccountSuspendedException: DENIED,
  MailFromDomainNotVerifiedException: DENIED,
  NotFoundException: DENIED,
  AccessDeniedException: DENIED,
  NotAuthorized: DENIED,
  OptInRequired: DENIED,
  ExpiredTokenException: DENIED,
  UnrecognizedClientException: DENIED,
  MessageRejected: REFUSED,
  BadRequestException: { kind: 'invalid' },
  RequestEntityTooLargeException: { kind: 'invalid' },
};

async function answerTo(client: SesClient, request: SendBulkEmailRequest): Promise<Answer> {
  try {
    return outcomesIn(await client.sendBulkEmail(request), request.BulkEmailEntries?.length ?? 0);
  } catch (error) {
    return meaningOf(error);
  }
}

/** One for each entry; if there are more or fewer, nobody knows whose they are. */
function outcomesIn(answer: unknown, entries: number): Answer {
  const { BulkEmailEntryResults: results } = Object(answer) as { BulkEmailEntryResults?: unknown };
  if (!Array.isArray(results) || results.length !== entries) return UNKNOWN;
  return results.map(result => own(OUTCOMES, Object(result).Status) ?? UNKNOWN);
}

function meaningOf(error: unknown): Answer {
  const { name, $metadata = {} } = Object(error) as {
    name?: unknown;
    $metadata?: { httpStatusCode?: number };
  };
  const { httpStatusCode: status = 0 } = $metadata;
  if (status >= 400 && status < 500) return own(EXCEPTIONS, name) ?? UNKNOWN;
  return status === 0 && !wasConnected(error) ? notSent('unreachable') : UNKNOWN;
}

const own = <T>(table: Record<string, T>, name: unknown): T | undefined =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;

const UNLIMITED = -1;

/** An account that is under review (PROBATION) may send as before. */
function paceIn({ SendQuota = {}, SendingEnabled, EnforcementStatus }: GetAccountResponse): Pace {
  const { MaxSendRate, Max24HourSend, SentLast24Hours = 0 } = SendQuota;
  if (MaxSendRate === undefined || Max24HourSend === undefined) throw new Error('SES names no sending quota');
  return {
    perSecond: MaxSendRate,
    left:
      Max24HourSend === UNLIMITED ? Number.MAX_SAFE_INTEGER : Math.max(0, Max24HourSend - SentLast24Hours),
    isPaused: SendingEnabled === false || EnforcementStatus === 'SHUTDOWN',
  };
}

export const ses = createSes(client, {
  placeOf,
  pause: milliseconds => new Promise(done => setTimeout(done, milliseconds)),
});
