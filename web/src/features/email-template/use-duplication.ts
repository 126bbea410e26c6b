import { RESULT_DURATION } from '#web/entities/email-template/email-template.ts';
import { useOrganizationCall } from '#web/lib/data.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';
import { Problem, serverMessageOr } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import { useNavigateFromHere } from '#web/lib/use-navigate-from-here.ts';
import { keepCopy } from './template-copy.ts';

type Texts = { ready?: string; invalid: string; failure: string };

/** Fetches the content of a template, and opens the form of a new one with it. */
export function useDuplication({ ready, invalid, failure }: Texts) {
  const call = useOrganizationCall();
  const organization = useOrganization()?.id;
  const { navigate, isLeft } = useNavigateFromHere();

  return async (id: string) => {
    try {
      const { template_data } = await call('POST /api/email-templates/{emailTemplate}/duplicate', {
        params: { emailTemplate: id },
      });
      if (isLeft()) return;
      if (!template_data || organization === undefined) throw new Problem(invalid, 200, {}, true);
      const state = keepCopy({ organization, template_data });
      if (ready) toast(ready, 'success', RESULT_DURATION);
      await navigate(paths.newEmailTemplate(), { state });
    } catch (problem) {
      toast(serverMessageOr(problem, failure), 'error', RESULT_DURATION);
    }
  };
}
