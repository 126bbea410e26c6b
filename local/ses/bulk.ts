import { randomUUID } from 'node:crypto';
import { parseInput, Refused } from '../aws-json.ts';
import type { Killer } from '../functions/killer.ts';
import type { FaultInjection, Faults } from '../mailgun/faults.ts';
import type { Meter } from '../meter.ts';
import type { Account } from './account.ts';
import { type Bulk, SendBulkEmail } from './bulk-input.ts';
import type { BulkMailbox } from './bulk-mailbox.ts';
import type { Operation } from './operations.ts';

// https://docs.aws.amazon.com/ses/latest/dg/send-personalized-email-api.html: of the input, with an inline template.
const MOST_BYTES = 1_000_000;
// SES is no server for SMTPUTF8.
const ADDRESS = /^[^\s@<>"]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/i;

type Options = {
  mailbox: Pick<BulkMailbox, 'take'>;
  account: Account;
  faults: FaultInjection;
  meter: Meter;
  killer: Killer;
  now: () => number;
  /** The name for callers outside the product. */
  unmetered: string;
  /** Whether a tenant may send from a domain by a configuration set. */
  maySend: (domain: string, tenant: string, configurationSet: string) => boolean;
  /** Whether the template has it. */
  hasConfigurationSet: (name: string) => boolean;
};

/** The status of an entry, where that is not SUCCESS. */
type Status = string | undefined;

/** Sends emails of lists, and answers for each. */
export function sendBulk(options: Options): Operation {
  const { mailbox, account, faults, meter, killer, now } = options;

  function statusOf(bulk: Bulk, { Destination }: Bulk['BulkEmailEntries'][number]): Status {
    const [to = ''] = Destination.ToAddresses;
    if (!options.hasConfigurationSet(bulk.ConfigurationSetName)) return 'CONFIGURATION_SET_NOT_FOUND';
    const [, domain = ''] = /@([^@>]+)>?$/.exec(bulk.FromEmailAddress) ?? [];
    if (!options.maySend(domain, bulk.TenantName, bulk.ConfigurationSetName))
      return 'MAIL_FROM_DOMAIN_NOT_VERIFIED';
    return ADDRESS.test(to) ? account.take(now()) : 'INVALID_PARAMETER';
  }

  return {
    method: 'POST',
    path: /^\/v2\/email\/outbound-bulk-emails$/,
    answer(input, { caller }) {
      if (killer.strikes('before_post', caller)) return undefined;
      const isMetered = caller !== options.unmetered;
      if (isMetered) meter.providerCalled();
      const fault = faults.next('401', '429', '500', 'refuse');
      if (fault === 'refuse') return undefined;
      if (fault) throw FAULTS[fault]?.();
      if (Buffer.byteLength(JSON.stringify(input)) > MOST_BYTES)
        throw new Refused('BadRequestException', 'The input is larger than 1 MB.');
      const bulk = parseInput(SendBulkEmail, input);
      account.requireSending();
      const at = new Date(now()).toISOString();
      const entries = bulk.BulkEmailEntries.map(entry => ({
        entry,
        id: randomUUID(),
        status: statusOf(bulk, entry),
      }));
      const taken = entries.filter(({ status }) => status === undefined);
      mailbox.take({ at, bulk, entries: taken });
      if (isMetered) meter.providerAccepted(taken.length);
      if (faults.next('drop_after_accept') || killer.strikes('after_post', caller)) return undefined;
      return {
        BulkEmailEntryResults: entries.map(({ id, status }) =>
          status
            ? { Status: status, Error: `The email was not sent: ${status}` }
            : { Status: 'SUCCESS', MessageId: id },
        ),
      };
    },
  };
}

const FAULTS: Partial<Record<Faults['provider'], () => Refused>> = {
  '401': () => new Refused('AccessDeniedException', 'You are not authorized to perform ses:SendBulkEmail'),
  '429': () => new Refused('TooManyRequestsException', 'Too many requests have been made to the operation'),
  '500': () => new Refused('InternalServiceErrorException', 'An internal error occurred'),
};
