import { useLeaveMissing } from '../../components/use-leave-missing.ts';
import { useOrganizationData } from '../../lib/data.ts';
import { paths } from '../../lib/paths.ts';
import { ONE_TEMPLATE } from './template-cache.ts';
import { TEMPLATE_MISSING } from './template-texts.ts';

/** The template of a page. Only the page calls this, so that a missing one is reported once. */
export function useEmailTemplate(id: string) {
  const input = { params: { emailTemplate: id } };
  const response = useOrganizationData(ONE_TEMPLATE, input);
  useLeaveMissing(paths.emailTemplates(), {
    route: ONE_TEMPLATE,
    input,
    response,
    noun: 'email template',
    missing: TEMPLATE_MISSING,
    failed: 'Failed to load email template details',
    back: 'Back to Email Templates',
  });
  return response;
}
