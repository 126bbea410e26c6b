import { daysAfter, triggerOf } from '../../automation/due/due.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import { claimsOf } from '../claim/claim.ts';
import type { Pack } from '../pack/pack.ts';
import { postGroup } from './group.ts';
import type { Needs } from './needs.ts';
import { readWorld } from './world.ts';

/** Posts what was claimed for a pack before it was queued; nothing where it never was. */
export async function deliverClaimed(needs: Needs, pack: Pack): Promise<void> {
  const { table, now } = needs;
  const world = await readWorld(table, pack.organization, pack.sources);
  if (!world.organization) return;
  for (const [hash] of pack.people) {
    for (const claim of await claimsOf(needs, pack, hash)) {
      const key = { organization: pack.organization, hash };
      const { head, membership } = await recipient.read(table, key, claim.list_id);
      const automation = world.automations.get(claim.automation_id);
      const held = [{ hash, claim }];
      const isSubscribed = membership?.status === 'subscribed' && !head?.suppression;
      const days = automation && membership && daysAfter(triggerOf(membership, automation), claim.key);
      const claimed = isSubscribed
        ? [{ hash, claim, membership, days: days ?? 0, checkedAt: now().getTime() }]
        : [];
      await postGroup(needs, world, pack, claim.batch, { claimed, held });
    }
  }
}
