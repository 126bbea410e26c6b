import { Flex, Text } from '@chakra-ui/react';
import { useRef } from 'react';
import * as z from 'zod/mini';
import { LONGEST_NAME } from '#shared/content-rules.ts';
import type { Part } from '#shared/email/content.ts';
import { NewEmailTemplate } from '#shared/email-template.ts';
import { TextLink } from '#web/components/button.tsx';
import { CancelButton, Form, FormActions, SubmitButton } from '#web/components/form.tsx';
import { Modal } from '#web/components/modal.tsx';
import { RESULT_DURATION } from '#web/entities/content/content.ts';
import { useOrganizationChange } from '#web/lib/data.ts';
import { newTemplateFor } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';
import { ContentWarnings, PartFields } from './content-fields.tsx';

const CREATED = 201;
const PARTS = ['subject_line', 'pre_cta_content', 'cta_text', 'cta_url'] as const satisfies readonly Part[];

const Email = z.pick(NewEmailTemplate, {
  subject_line: true,
  pre_cta_content: true,
  cta_text: true,
  cta_url: true,
});
type Email = z.output<typeof Email>;

const BLANK = { subject_line: '', pre_cta_content: '', cta_text: '', cta_url: '' };

type EmailButton = Pick<Email, 'cta_text' | 'cta_url'>;

type Props = {
  /** The id of the automation to which the template is linked. */
  automation: string;
  when: string;
  button: EmailButton | undefined;
  hasNext: boolean;
  onSaved: (button: EmailButton, continues: boolean) => void;
  onClose: () => void;
};

/** Writes a template with the parts that each email needs. Its name is its subject. */
export default function WriteEmailDialog({ automation, when, button, hasNext, onSaved, onClose }: Props) {
  const change = useOrganizationChange();
  const continues = useRef(false);

  async function save(email: Email) {
    const name = email.subject_line.slice(0, LONGEST_NAME);
    const body = { ...email, name, automation_ids: [automation] };
    await change('POST /api/email-templates', { body, expectedStatus: CREATED });
    toast('Email saved.', 'success', RESULT_DURATION);
    return email;
  }

  return (
    <Modal title={`Write email: ${when}`} width="720px" onClose={onClose}>
      <Form
        key={automation}
        schema={Email}
        initial={{ ...BLANK, ...button }}
        save={save}
        onSaved={({ cta_text, cta_url }) => onSaved({ cta_text, cta_url }, continues.current)}
        failure="Failed to save the email. Please try again."
      >
        <ContentWarnings route="POST /api/email-templates-check" texts={PARTS}>
          <PartFields parts={PARTS} />
        </ContentWarnings>
        <Flex wrap="wrap" columnGap="3" fontSize="sm">
          <Text color="fg.muted">{button && 'The button is that of the email before.'}</Text>
          <TextLink to={newTemplateFor(automation)}>Write it with preheader, footer and language</TextLink>
        </Flex>
        <FormActions>
          <CancelButton variant="ghost" onClick={onClose} />
          {hasNext && (
            <SubmitButton
              secondary
              variant="outline"
              loadingText="Saving..."
              onClick={() => (continues.current = false)}
            >
              Save
            </SubmitButton>
          )}
          <SubmitButton loadingText="Saving..." onClick={() => (continues.current = hasNext)}>
            {hasNext ? 'Save and write the next' : 'Save'}
          </SubmitButton>
        </FormActions>
      </Form>
    </Modal>
  );
}
