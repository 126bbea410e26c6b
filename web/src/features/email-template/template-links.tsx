import type { AutomationOption } from '#shared/automation-link.ts';
import { LinkedAutomations } from '#web/entities/email/linked-automations.tsx';
import { EMAIL_TEMPLATE, RESULT_DURATION } from '#web/entities/email-template/email-template.ts';
import { useEntityChange } from '#web/entities/use-entity-change.ts';
import { toast } from '#web/lib/toasts.ts';

type Props = { id: string; automations: AutomationOption[]; canEdit: boolean };

/** The automations that send a template, each with a preview of its emails. */
export function TemplateLinks({ id, automations, canEdit }: Props) {
  const change = useEntityChange(EMAIL_TEMPLATE, id);

  async function save(automation_ids: string[]) {
    const route = 'PUT /api/email-templates/{emailTemplate}/automations';
    await change(route, { automation_ids }, ({ automations }) => ({ automations }));
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
