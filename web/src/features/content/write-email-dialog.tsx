import { Flex, Text } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import * as z from 'zod/mini';
import type { LinkedTemplate } from '#shared/automation-content.ts';
import { LONGEST_NAME } from '#shared/content-rules.ts';
import type { Part } from '#shared/email/content.ts';
import { NewEmailTemplate } from '#shared/email-template.ts';
import type { PartTexts } from '#shared/part-texts.ts';
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
type RequestBody = z.input<typeof NewEmailTemplate>;

const BLANK = { subject_line: '', pre_cta_content: '', cta_text: '', cta_url: '' };
const partsIn = (texts: PartTexts) =>
  Object.fromEntries(PARTS.map(part => [part, texts[part] ?? ''])) as typeof BLANK;

type EmailButton = Pick<Email, 'cta_text' | 'cta_url'>;

type Props = {
  /** The id of the automation to which the template is linked. */
  automation: string;
  when: string;
  button: EmailButton | undefined;
  /** The template that is unlinked once the new one is linked. */
  replaced?: LinkedTemplate | undefined;
  hasNext: boolean;
  onSaved: (button: EmailButton, continues: boolean) => void;
  onClose: () => void;
};

/**
 * Writes a template with the parts that each email needs. Its name is its subject. As texts of templates do not change, an edited
 * email is another template, which takes the place of the one before in one change: at no time are both of them sent.
 */
export default function WriteEmailDialog({
  automation,
  when,
  button,
  hasNext,
  onSaved,
  onClose,
  ...props
}: Props) {
  const change = useOrganizationChange();
  const continues = useRef(false);
  const created = useRef<{ texts: string; id: string }>(undefined);
  // The values from when it was opened: those of the cache come later.
  const [replaced] = useState(props.replaced);
  const initial = { ...BLANK, ...(replaced?.texts && partsIn(replaced.texts)), ...button };

  async function save(email: Email) {
    const name = email.subject_line.slice(0, LONGEST_NAME);
    if (replaced) await replace(replaced, { ...email, name });
    else await create({ ...email, name, automation_ids: [automation] });
    toast('Email saved.', 'success', RESULT_DURATION);
    return email;
  }

  const create = (body: RequestBody) =>
    change('POST /api/email-templates', { body, expectedStatus: CREATED });

  async function replace({ id: unlinked, language_code, texts: before }: LinkedTemplate, body: RequestBody) {
    const { preheader, after_cta_content, footer } = before ?? {};
    const others = { preheader, after_cta_content, footer: footer ?? '', language_code };
    const texts = JSON.stringify(body);
    // If only the second call failed, the template is there already.
    if (created.current?.texts !== texts) {
      const { id } = await create({ ...others, ...body });
      created.current = { texts, id };
    }
    const links = { link: [created.current.id], unlink: [unlinked] };
    await change('PUT /api/automations/{automation}/content', { params: { automation }, body: links });
  }

  return (
    <Modal title={`${replaced ? 'Edit' : 'Write'} email: ${when}`} width="720px" onClose={onClose}>
      <Form
        key={automation}
        schema={Email}
        initial={initial}
        save={save}
        onSaved={({ cta_text, cta_url }) => onSaved({ cta_text, cta_url }, continues.current)}
        failure="Failed to save the email. Please try again."
      >
        <ContentWarnings route="POST /api/email-templates-check" texts={PARTS}>
          <PartFields parts={PARTS} />
        </ContentWarnings>
        <Flex wrap="wrap" columnGap="3" fontSize="sm">
          <Text color="fg.muted">
            {replaced
              ? 'It is sent from now on. The email before stays in the log, in reports and among the templates.'
              : button && 'The button is that of the email before.'}
          </Text>
          {!replaced && (
            <TextLink to={newTemplateFor(automation)}>Write it with preheader, footer and language</TextLink>
          )}
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
