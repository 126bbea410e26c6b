import * as combination from '#core/content/combination.ts';
import { newId } from '#core/id.ts';
import * as claims from '#core/recipient/claim.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import * as batchStore from '#core/sending/batch/batch.store.ts';
import { minuteOf } from '#core/sending/pack.ts';
import { needsOf } from './items.ts';
import type { Stack } from './stack.ts';

type Wanted = { organization: number; listMember: string; automation: string; template: string };

// After this time, the safeguards allow another email.
const LONG_ENOUGH = 6 * 60_000;

export async function newUnknownSend(
  stack: Stack,
  { organization, listMember, automation, template }: Wanted,
): Promise<string> {
  const { table, now } = await needsOf(stack);
  const then = new Date(now.getTime() - LONG_ENOUGH);
  const { listId: list_id = '', hash = '' } = recipientKey.readMemberId(listMember) ?? {};
  const key = { organization, hash };
  const { membership, seq } = await recipientStore.read(table, key, list_id);
  const at = then.toISOString();
  const batch = batchStore.batchId({ minute: minuteOf(then), pack: newId(), list: list_id, automation });
  const claim = {
    seq: seq + 1,
    type: 'send' as const,
    at,
    list_id,
    automation_id: automation,
    key: `${automation}#${at.slice(0, 10)}#1`,
    batch,
    combination: template,
  };
  await combination.contentsOf(table, organization).ofChoice({ id: template, template_id: template });
  await claims.writeClaim(table, key, claim, membership);
  const head = { batch, at, list_id, automation_id: automation, size: 1 };
  const send = { hash, seq: claim.seq, combination: template };
  await batchStore.insert(table, organization, 'begun', head, [send]);
  await batchStore.end(table, organization, head, { event: 'unknown' });
  return recipientKey.claimId(send);
}
