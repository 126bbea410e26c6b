import type { AutomationOption } from '../../../../shared/automation-link.ts';
import { updateCached } from '../../entities/cache.ts';
import { LinkedAutomations } from '../../entities/email/linked-automations.tsx';
import { EMAIL_TEMPLATE, RESULT_DURATION } from '../../entities/email-template/email-template.ts';
import { useOrganizationChange } from '../../lib/data.ts';
import { useOrganization } from '../../lib/organization.ts';
import { toast } from '../../lib/toasts.ts';

type Props = { id: string; automations: AutomationOption[]; canEdit: boolean };

/** The automations that send a template, each with a preview of its emails. */
export function TemplateLinks({ id, automations, canEdit }: Props) {
  const change = useOrganizationChange();
  const organization = useOrganization()?.id;

  async function save(automation_ids: string[]) {
    const linked = await change('PUT /api/email-templates/{emailTemplate}/automations', {
      params: { emailTemplate: id },
      body: { automation_ids },
    });
    await updateCached(EMAIL_TEMPLATE, { organization, id }, { automations: linked.automations });
    toast('Automations updated successfully!', 'success', RESULT_DURATION);
  }

  return (
    <LinkedAutomations
      title="Linked Automations"
      automations={automations}
      route="GET /api/automations-for-templates"
      empty="This template is not linked to any automations."
      canEdit={canEdit}
      editText="Edit Automations"
      saveText="Save Changes"
      save={save}
      failure="Failed to update automations"
    />
  );
}
