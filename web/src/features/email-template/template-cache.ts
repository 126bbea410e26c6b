import { mutate } from 'swr';
import type { EmailTemplateDetail, EmailTemplateRow } from '../../../../shared/email-template.ts';
import { isKeyOf } from '../../lib/cache-key.ts';
import { TEMPLATE_ROWS, TEMPLATES_SUMMARY } from './use-templates.ts';

export const ONE_TEMPLATE = 'GET /api/email-templates/{emailTemplate}';

/** What of a template can change. */
type Change = Partial<Pick<EmailTemplateRow, 'name' | 'is_active' | 'automations'>>;

const isDetailOf = (id: string) => (key: unknown) =>
  isKeyOf(key, ONE_TEMPLATE) && key.input?.params.emailTemplate === id;

/** Updates a template in all cached responses. */
export async function updateTemplateInCache(id: string, change: Change) {
  const inRows = (rows?: EmailTemplateRow[]) =>
    rows?.map(row => (row.id === id ? { ...row, ...change } : row));
  const inDetail = (detail?: EmailTemplateDetail) =>
    detail && {
      ...detail,
      emailTemplate: { ...detail.emailTemplate, ...change },
      automations: change.automations ?? detail.automations,
    };
  await mutate<EmailTemplateRow[]>(key => isKeyOf(key, TEMPLATE_ROWS), inRows, { revalidate: false });
  await mutate<EmailTemplateDetail>(isDetailOf(id), inDetail, { revalidate: false });
}

/** The rows of pages after this one move up, so all are fetched again. */
export async function removeTemplateFromCache(id: string) {
  const without = (rows?: EmailTemplateRow[]) => rows?.filter(row => row.id !== id);
  await mutate<EmailTemplateRow[]>(key => isKeyOf(key, TEMPLATE_ROWS), without);
  await mutate(key => isKeyOf(key, TEMPLATES_SUMMARY));
  await mutate(isDetailOf(id), undefined, { revalidate: false });
}
