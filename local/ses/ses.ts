import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Zone } from '../dns/zone.ts';
import { type Bus, DEFAULT_BUS } from '../events/bus.ts';
import type { Killer } from '../functions/killer.ts';
import { createFaultInjection } from '../mailgun/faults.ts';
import type { Meter } from '../meter.ts';
import { createAccount } from './account.ts';
import { sendBulk } from './bulk.ts';
import { type BulkEmail, createBulkMailbox, failureOf } from './bulk-mailbox.ts';
import type { ConfigurationSets } from './configuration-sets.ts';
import { eventAbout, renderingFailed, SES_KINDS, type SesEventName, simulatedKind } from './events.ts';
import { createIdentities } from './identities.ts';
import { createMailbox } from './mailbox.ts';
import { answering, type Operation } from './operations.ts';
import { sendEmail } from './send-email.ts';

export type Ses = ReturnType<typeof createSes>;

type SesOptions = {
  database: DatabaseSync;
  now: () => number;
  /** The time of users, who get login codes. */
  usersNow: () => number;
  meter: Meter;
  killer: Killer;
  unmetered: string;
  configurationSets: () => ConfigurationSets | undefined;
  bus: () => Bus | undefined;
  zone: Zone;
};

/** The operations of the SES API that the product uses. Accepted emails go to the inbox: no email leaves this machine. */
export function createSes({
  database,
  now,
  usersNow,
  zone,
  meter,
  killer,
  unmetered,
  ...product
}: SesOptions) {
  const mailbox = createMailbox(database);
  const bulks = createBulkMailbox(database);
  const faults = createFaultInjection();
  const account = createAccount(now);
  const identities = createIdentities(database, zone);
  const sending = sendBulk({
    mailbox: {
      take(taken) {
        bulks.take(taken);
        for (const { entry, id } of taken.entries) {
          const email = { ...taken, entry, id };
          const failure = failureOf(email);
          const kind = failure === undefined ? simulatedKind(email) : renderingFailed(failure);
          if (kind) void publish(email, kind);
        }
      },
    },
    account,
    faults,
    meter,
    killer,
    now,
    unmetered,
    maySend: identities.maySend,
    hasConfigurationSet: name => product.configurationSets()?.has(name) ?? false,
  });
  const operations: Operation[] = [
    sendEmail(mailbox, usersNow),
    sending,
    account.getAccount,
    ...identities.operations,
  ];

  /** Where the configuration set has a destination for it. */
  async function publish(email: BulkEmail, kind: Parameters<typeof eventAbout>[1]) {
    const isPublished = product.configurationSets()?.publishes(email.bulk.ConfigurationSetName, kind.type);
    const event = eventAbout(email, kind);
    const at = new Date(now()).toISOString();
    if (isPublished) await product.bus()?.put({ ...event, id: randomUUID(), bus: DEFAULT_BUS, at });
    return { payload: event, deliveries: isPublished ? [{ url: DEFAULT_BUS, status: 200 }] : [] };
  }

  return {
    answer: answering(operations),
    setFaults: faults.set,
    setAccount: account.set,
    /** Puts an event about an email on the default bus. Returns undefined if no such email was accepted. */
    report(send: string, event: SesEventName) {
      const email = bulks.sent(send);
      return email && publish(email, SES_KINDS[event]);
    },
    messages: (to: string | undefined, limit: number) => [
      ...mailbox.messages(to, limit),
      ...bulks.messages(to, limit),
    ],
    clear() {
      mailbox.clear();
      bulks.clear();
    },
  };
}
