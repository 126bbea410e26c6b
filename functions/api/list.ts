import * as list from '../core/list/list.ts';
import { serve } from '../http/serve.ts';
import { mailgun } from '../platform/mailgun.ts';
import { objects } from '../platform/objects.ts';
import { table } from '../platform/table.ts';
import { vault } from '../platform/vault.ts';

export const handler = serve<'list'>({
  'GET /api/email-lists': ({ active }) => list.listOf({ table }, active.organization.id),
  'POST /api/email-lists': ({ active, body, now }) => list.create({ table, now }, active, body),
  'GET /api/email-lists/{list}': async ({ list: found }) => list.shown(found),
  'PUT /api/email-lists/{list}': ({ list: found, body }) => list.change({ table }, found, body),
  'DELETE /api/email-lists/{list}': ({ list: found, now }) => list.remove({ table, now }, found),
  'PUT /api/email-lists/{list}/logo': async ({ list: found, body }) => ({
    success: true,
    logoBase64: await list.changeLogo({ table, objects }, found, body.logo),
  }),
  'PUT /api/email-lists/{list}/mailgun-key': async ({ list: found, body }) => ({
    success: true,
    hasKey: await list.changeSendingKey({ table, vault }, found, body),
  }),
  'POST /api/email-lists/{list}/test-mailgun-connection': ({ list: found, now }) =>
    list.testConnection({ table, vault, provider: mailgun, now }, found),
  'GET /api/email-lists/{list}/datetime-metadata-columns': ({ list: found }) =>
    list.datetimeColumns({ table }, found),
});
