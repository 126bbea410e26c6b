import { Box } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { type ListMember, NewListMember } from '../../../../shared/list-member.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Form, FormActions, SubmitButton } from '../../components/form.tsx';
import { fieldsOf } from '../../components/form-fields.ts';
import { countAdded } from '../../entities/list/just-added.ts';
import { useCachedData, useOrganizationChange } from '../../lib/data.ts';
import { paths } from '../../lib/paths.ts';
import { Problem } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { MetadataFields } from './metadata-fields.tsx';
import { MetadataRows } from './metadata-schema.ts';

const WARNING_DURATION = 8000;

const Shape = z.object({
  email: NewListMember.shape.email,
  is_subscribed: z.boolean(),
  metadata: MetadataRows,
});

const { TextField, CheckboxField } = fieldsOf<z.input<typeof Shape>>();

/** The form that adds members to a list, one after another. */
export default function NewListMemberForm({ list }: { list: string }) {
  const [formNumber, setFormNumber] = useState(0);
  const addsAnother = useRef(false);
  const navigate = useNavigate();
  const change = useOrganizationChange();
  const known = useCachedData('GET /api/email-lists/{list}', { params: { list } });

  async function add(values: z.output<typeof Shape>) {
    const body = { email_list_id: list, ...values };
    const added = await change('POST /api/list-members', { body }).catch(problem => {
      throw withTextOfForm(problem);
    });
    countAdded(added, known);
    toastAdded(added, values.is_subscribed);
  }

  function continueOrShowList() {
    if (addsAnother.current) setFormNumber(formNumber + 1);
    else void navigate(paths.list(list), { replace: true });
  }

  return (
    <Box maxWidth="560px">
      <Form
        key={formNumber}
        schema={Shape}
        initial={{ email: '', is_subscribed: true, metadata: [] }}
        save={add}
        onSaved={continueOrShowList}
      >
        <TextField name="email" label="Email" type="email" autoFocus={formNumber > 0} />
        <CheckboxField name="is_subscribed">Subscribed</CheckboxField>
        <MetadataFields />
        <FormActions>
          <ButtonLink variant="ghost" to={paths.list(list)}>
            Cancel
          </ButtonLink>
          <SubmitButton
            secondary
            variant="outline"
            loadingText="Adding..."
            onClick={() => (addsAnother.current = true)}
          >
            Add and continue
          </SubmitButton>
          <SubmitButton loadingText="Adding..." onClick={() => (addsAnother.current = false)}>
            Add member
          </SubmitButton>
        </FormActions>
      </Form>
    </Box>
  );
}

function toastAdded({ email, is_subscribed }: ListMember, requested: boolean) {
  if (is_subscribed === requested) return toast(`${email} was added.`);
  const message = `${email} unsubscribed before, and was therefore added as unsubscribed.`;
  return toast(message, 'warning', WARNING_DURATION);
}

/** Refusals keep the server's text; other failures get those of this form. */
function withTextOfForm(problem: unknown): unknown {
  if (!(problem instanceof Problem)) return problem;
  if (problem.isRefusal) return problem;
  if (problem.status === 500) {
    return new Problem(
      `An error occurred: ${problem.isFromServer ? problem.message : 'this email may already be in the list'}`,
      problem.status,
    );
  }
  return new Problem('An unexpected error occurred. Please try again.', problem.status);
}
