import { Box } from '@chakra-ui/react';
import * as z from 'zod/mini';
import { type ListMember, NewListMember } from '#shared/list-member.ts';
import { CreationForm } from '#web/components/form.tsx';
import { fieldsOf } from '#web/components/form-fields.tsx';
import { countAdded } from '#web/entities/list/list.ts';
import { useCachedData, useOrganizationChange } from '#web/lib/data.ts';
import { paths } from '#web/lib/paths.ts';
import { Problem } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import { MetadataFields } from './metadata-fields.tsx';
import { MetadataRows } from './metadata-schema.ts';

const WARNING_DURATION = 8000;

const Shape = z.object({
  email: NewListMember.shape.email,
  is_subscribed: z.boolean(),
  metadata: MetadataRows,
});

const EMPTY: z.input<typeof Shape> = { email: '', is_subscribed: true, metadata: [] };

const { TextField, CheckboxField } = fieldsOf<z.input<typeof Shape>>();

/** The form that adds members to a list, one after another. */
export default function NewListMemberForm({ list }: { list: string }) {
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

  return (
    <Box maxWidth="560px">
      <CreationForm
        schema={Shape}
        initial={EMPTY}
        create={add}
        next={() => EMPTY}
        home={paths.list(list)}
        submit="Add member"
        submitAndContinue="Add and continue"
        loadingText="Adding..."
      >
        {isNext => (
          <>
            <TextField name="email" label="Email" type="email" autoFocus={isNext} />
            <CheckboxField name="is_subscribed">Subscribed</CheckboxField>
            <MetadataFields />
          </>
        )}
      </CreationForm>
    </Box>
  );
}

function toastAdded({ email, is_subscribed }: ListMember, requested: boolean) {
  if (is_subscribed === requested) return toast(`${email} was added.`);
  const message = `${email} unsubscribed before, and was therefore added as unsubscribed.`;
  return toast(message, 'warning', WARNING_DURATION);
}

/** Keeps the server's message of a refusal; other failures get the message of this form. */
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
