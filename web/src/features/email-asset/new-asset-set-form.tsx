import { Box } from '@chakra-ui/react';
import { useWatch } from 'react-hook-form';
import { useNavigate } from 'react-router';
import type * as z from 'zod/mini';
import { MOST_LINKED_SET } from '#shared/automation-link.ts';
import { PART_NAMES } from '#shared/email/content.ts';
import { NewEmailAssetSet } from '#shared/email-asset-set.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.ts';
import { AutomationsField } from '#web/entities/email/automations-field.tsx';
import { ContentFields } from '#web/entities/email/content-fields.tsx';
import { ContentWarnings } from '#web/entities/email/content-warnings.tsx';
import { EMPTY_CONTENT } from '#web/entities/email/empty-content.ts';
import { partsOf } from '#web/entities/email/parts-of.ts';
import { PlaceholderHelp } from '#web/entities/email/placeholder-help.tsx';
import { PreviewPane } from '#web/entities/email/preview-pane.tsx';
import { WithPreview } from '#web/entities/email/with-preview.tsx';
import { ASSET_TOAST_DURATION, useAutomationsForAssets } from '#web/entities/email-asset/email-asset.ts';
import { useOrganizationChange } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';
import { createdText, FOOTER } from './asset-texts.ts';

type Values = z.input<typeof NewEmailAssetSet>;
const { TextField, CheckboxField } = fieldsOf<Values>();

const EMPTY: Values = {
  name: '',
  ...EMPTY_CONTENT,
  footer: FOOTER,
  is_active: true,
  automation_ids: [],
};
const CREATED = 201;

type Props = {
  /** The automation that the set is created for. The form leads back to its page. */
  automation: string | null;
};

export default function NewAssetSetForm({ automation }: Props) {
  const change = useOrganizationChange();
  const navigate = useNavigate();
  const automations = useAutomationsForAssets();
  const home = automation ? paths.automation(automation) : paths.emailAssets();

  async function create(body: NewEmailAssetSet) {
    const set = await change('POST /api/email-asset-sets', { body, expectedStatus: CREATED });
    return createdText(set, body.automation_ids.length > 0);
  }

  function leave(text: string) {
    toast(text, 'success', ASSET_TOAST_DURATION);
    void navigate(home, { replace: true });
  }

  return (
    <WithPreview>
      <Form
        schema={NewEmailAssetSet}
        initial={{ ...EMPTY, automation_ids: automation ? [automation] : [] }}
        save={create}
        onSaved={leave}
        failure="Failed to create email assets"
        onFailure={message => toast(message, 'error', ASSET_TOAST_DURATION)}
      >
        {/* The check for templates warns about the same parts. */}
        <ContentWarnings route="POST /api/email-templates-check" texts={PART_NAMES}>
          <TextField
            name="name"
            label="Name"
            hint="Optional: for you and your colleagues. Each asset gets it."
          />
          <PlaceholderHelp />
          <ContentFields />
          <Box mt="2">
            <AutomationsField
              label="Link to Automations"
              options={automations.data}
              problem={automations.error}
              onRetry={automations.mutate}
              most={MOST_LINKED_SET}
            />
          </Box>
          <CheckboxField name="is_active" hint="Inactive assets are not used in emails.">
            Active
          </CheckboxField>
          <Preview />
        </ContentWarnings>
        <FormActions>
          <ButtonLink variant="ghost" to={home}>
            Cancel
          </ButtonLink>
          <SubmitButton loadingText="Creating...">Create Asset Set</SubmitButton>
        </FormActions>
      </Form>
    </WithPreview>
  );
}

/** A preview of the input as an email. */
function Preview() {
  const values = useWatch<Values>();
  return (
    <PreviewPane
      content={partsOf(values)}
      language="en"
      automations={values.automation_ids as string[] | undefined}
    />
  );
}
