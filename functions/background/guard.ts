// Purpose: pause an automation of whose emails too many bounce or are complained about, and tell its owners.
// Safe to run twice: what is paused is not paused again, and a letter is noted when it was sent.
import type { EventBridgeEvent } from 'aws-lambda';
import type { Stream } from '#core/sending/guard.store.ts';
import { check } from '#core/sending/guard.ts';
import { log, redacting } from '../platform/log.ts';
import { mailer } from '../platform/mailer.ts';
import { env, now } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';

const linkTo = (automation: string) => `${env('PUBLIC_URL')}/automations/${automation}`;

export const handler = redacting(async ({ detail }: EventBridgeEvent<string, Stream>): Promise<void> => {
  const result = await check({ table, now: now(), mailer, linkTo }, detail);
  if (result) log.info('guard', { result, organization: detail.organization, automation: detail.automation });
});
