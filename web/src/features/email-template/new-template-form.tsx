import { useWatch } from 'react-hook-form';
import type * as z from 'zod/mini';
import { PART_NAMES } from '#shared/email/content.ts';
import { UNSUBSCRIBE } from '#shared/email/placeholder.ts';
import { NewEmailTemplate, TemplateData } from '#shared/email-template.ts';
import { CreationForm } from '#web/components/creation-form.tsx';
import { ContentWarnings } from '#web/entities/email/content-warnings.tsx';
import { EMPTY_CONTENT } from '#web/entities/email/empty-content.ts';
import { partsOf } from '#web/entities/email/parts-of.ts';
import { PreviewPane } from '#web/entities/email/preview-pane.tsx';
import { WithPreview } from '#web/entities/email/with-preview.tsx';
import { RESULT_DURATION } from '#web/entities/email-template/email-template.ts';
import { useOrganizationChange } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';
import { TemplateFields } from './template-fields.tsx';

type Values = z.input<typeof NewEmailTemplate>;

const EMPTY: Values = {
  name: '',
  ...EMPTY_CONTENT,
  footer: `{{${UNSUBSCRIBE}}}`,
  language_code: 'en',
  is_active: true,
  automation_ids: [],
};

/** The initial values of the form. The copy was stored in the browser, so its shape is not certain. */
function initialOf(copy: unknown, automation: string | null): Values {
  const { data } = TemplateData.safeParse(copy);
  if (!data) return { ...EMPTY, automation_ids: automation ? [automation] : [] };
  return { ...data, preheader: data.preheader ?? '', after_cta_content: data.after_cta_content ?? '' };
}

const CREATED = 201;

type Props = {
  /** The template whose values are filled in. */
  copy: unknown;
  /** The automation that the template is created for. The form leads back to its page. */
  automation: string | null;
  /** Called when the form is cleared for another template. */
  onContinue: () => void;
};

/** The form of a new template. */
export default function NewTemplateForm({ copy, automation, onContinue }: Props) {
  const change = useOrganizationChange();

  async function create(body: NewEmailTemplate) {
    await change('POST /api/email-templates', { body, expectedStatus: CREATED });
    toast('Email template created successfully!', 'success', RESULT_DURATION);
  }

  /** The next template keeps the settings, but not the content. */
  function next({ language_code, is_active, automation_ids }: NewEmailTemplate): Values {
    onContinue();
    return { ...EMPTY, language_code, is_active, automation_ids };
  }

  return (
    <WithPreview>
      <CreationForm
        schema={NewEmailTemplate}
        initial={initialOf(copy, automation)}
        create={create}
        next={next}
        home={automation ? paths.automation(automation) : paths.emailTemplates()}
        submit="Create Email Template"
        submitAndContinue="Create Email Template and Continue"
        loadingText="Creating..."
        failure="Failed to create email template"
        onFailure={message => toast(message, 'error', RESULT_DURATION)}
      >
        {isNext => (
          <ContentWarnings route="POST /api/email-templates-check" texts={PART_NAMES}>
            <TemplateFields autoFocus={isNext} />
            <Preview />
          </ContentWarnings>
        )}
      </CreationForm>
    </WithPreview>
  );
}

/** A preview of the input as an email. */
function Preview() {
  const values = useWatch<Values>();
  const { language_code = 'en', automation_ids } = values;
  return (
    <PreviewPane
      content={partsOf(values)}
      language={language_code}
      automations={automation_ids as string[] | undefined}
    />
  );
}
