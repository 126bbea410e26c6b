import { emailSendRoutes } from '../../shared/send.ts';
import * as sends from '../core/sending/send/send.ts';
import { emailSend } from '../http/named.ts';
import { serve } from '../http/serve.ts';
import { env } from '../platform/env.ts';
import { queuePack } from '../platform/packs.ts';
import { table } from '../platform/table.ts';

export const handler = serve(
  emailSendRoutes,
  {
    'GET /api/email-sends': ({ active, query, now }) =>
      sends.page({ table, now }, active.organization.id, query),
    'GET /api/email-sends/{emailSend}/content': ({ emailSend }) =>
      sends.content({ table, publicUrl: env('PUBLIC_URL') }, emailSend),
    'POST /api/email-sends/{emailSend}/resend': ({ emailSend, user, now }) =>
      sends.resend({ table, now, queue: queuePack }, emailSend, user),
  },
  { emailSend },
);
