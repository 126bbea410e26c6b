import * as resendStore from '#core/sending/claim/resend.ts';
import * as contentStore from '#core/sending/log/email.ts';
import * as pageStore from '#core/sending/log/log.ts';
import { emailSendRoutes } from '#shared/send.ts';
import { emailSend } from '../http/path-params.ts';
import { serveBoth } from '../http/serve.ts';
import { queuePack } from '../platform/queue.ts';
import { env } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';

export const handler = serveBoth(
  emailSendRoutes,
  {
    'GET /api/email-sends': ({ active, query, now }) =>
      pageStore.page({ table, now }, active.organization.id, query),
    'GET /api/email-sends/skipped': ({ active, query }) =>
      pageStore.countSkipped({ table }, active.organization.id, query),
    'GET /api/email-sends/{emailSend}': ({ now, emailSend }) => pageStore.details({ table, now }, emailSend),
    'GET /api/email-sends/{emailSend}/content': ({ active: { organization }, emailSend }) =>
      contentStore.content({ table, publicUrl: env('PUBLIC_URL'), organization }, emailSend),
    'POST /api/email-sends/{emailSend}/resend': ({ emailSend, user, now }) =>
      resendStore.resend({ table, now, queue: queuePack }, emailSend, user),
  },
  { emailSend },
);
