import type { DatabaseSync } from 'node:sqlite';
import type { Zone } from '../dns/zone.ts';
import { createIdentities } from './identities.ts';
import { createMailbox } from './mailbox.ts';
import { answering, type Operation } from './operations.ts';
import { sendEmail } from './send-email.ts';

export type Ses = ReturnType<typeof createSes>;

type SesOptions = {
  database: DatabaseSync;
  /** The time of users, who get login codes. */
  usersNow: () => number;
  zone: Zone;
};

/** The operations of the SES API that the product uses. Accepted emails go to the inbox: no email leaves this machine. */
export function createSes({ database, usersNow, zone }: SesOptions) {
  const identities = createIdentities(database, zone);
  const mailbox = createMailbox(database);
  const operations: Operation[] = [sendEmail(mailbox, usersNow), ...identities.operations];

  return { answer: answering(operations), messages: mailbox.messages, clear: mailbox.clear };
}
