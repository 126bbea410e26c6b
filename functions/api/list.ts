import * as automations from '#core/automation/automation.ts';
import * as lists from '#core/list/list.ts';
import * as sendingKey from '#core/list/sending-key.ts';
import { listRoutes } from '#shared/list.ts';
import { list } from '../http/path-params.ts';
import { serveBoth } from '../http/serve.ts';
import { objects } from '../platform/objects.ts';
import { env } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';
import { vault } from '../platform/vault.ts';
import { mailgun } from '../providers/mailgun/mailgun.ts';

type Listed = Awaited<ReturnType<typeof lists.create>>;

const shown = (organizationId: number, list: Listed) => ({
  ...list,
  provider_events_url: lists.eventsUrl(env('PUBLIC_URL'), organizationId, list.id),
});

export const handler = serveBoth(
  listRoutes,
  {
    'GET /api/email-lists': async ({ active: { organization }, now }) =>
      (await lists.listOf({ table, now }, organization.id)).map(list => shown(organization.id, list)),
    'POST /api/email-lists': async ({ active, body, user, by, now }) =>
      shown(active.organization.id, await lists.create({ table, now, user, by }, active, body)),
    'GET /api/email-lists/{list}': async ({ list, now }) =>
      shown(list.organization_id, await lists.detail({ table, now }, list)),
    'PUT /api/email-lists/{list}': async ({
      active: {
        membership: { role },
      },
      list,
      body,
      user,
      by,
      now,
    }) => shown(list.organization_id, await lists.change({ table, now, user, by, role }, list, body)),
    'DELETE /api/email-lists/{list}': async ({ list, user, by, now }) => {
      await automations.requireNotNamed({ table, now }, list);
      return lists.remove({ table, now, user, by }, list);
    },
    'PUT /api/email-lists/{list}/logo': async ({ list, body, user, by, now }) => ({
      success: true,
      logoBase64: await lists.changeLogo({ table, now, user, by, objects }, list, body.logo),
    }),
    'PUT /api/email-lists/{list}/mailgun-key': async ({ list, body, user, by, now }) => ({
      success: true,
      hasKey: await sendingKey.changeSendingKey({ table, now, user, by, vault }, list, body),
    }),
    'POST /api/email-lists/{list}/test-mailgun-connection': ({ list, now }) =>
      sendingKey.testConnection({ table, vault, provider: mailgun, now }, list),
    'GET /api/email-lists/{list}/datetime-metadata-columns': ({ list }) =>
      lists.datetimeColumns({ table }, list),
  },
  { list },
);
