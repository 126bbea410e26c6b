import { Box } from '@chakra-ui/react';
import { useState } from 'react';
import type * as z from 'zod/mini';
import { Actions } from '../../components/actions.tsx';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { CancelButton, Form, FormActions, SubmitButton } from '../../components/form.tsx';
import { fieldsOf } from '../../components/form-fields.ts';
import { Modal } from '../../components/modal.tsx';
import { Notice } from '../../components/notice.tsx';
import { api } from '../../lib/api.ts';
import { EXPIRATION_CHOICES, type NewTokenValues, newTokenSchema } from './new-token-schema.ts';

const { TextField, SelectField } = fieldsOf<z.input<ReturnType<typeof newTokenSchema>>>();

type Props = { taken: string[]; onCreated: (token: string) => unknown; onClose: () => void };

/** A form, then the value of the new token. */
export default function NewTokenDialog({ taken, onCreated, onClose }: Props) {
  const [created, setCreated] = useState<string>();

  async function create(body: NewTokenValues) {
    const { token } = await api('POST /api/tokens', { body });
    onCreated(token);
    return token;
  }

  if (created) {
    return (
      // Blocking, so that it is not closed by accident: the value cannot be shown again.
      <Modal title="Token created" blocking onClose={onClose}>
        <TokenValue value={created} onClose={onClose} />
      </Modal>
    );
  }
  return (
    <Modal title="Create API token" onClose={onClose}>
      <Form
        schema={newTokenSchema(taken)}
        initial={{ name: '', expiration: 'null' }}
        save={create}
        onSaved={setCreated}
        eager
        failure="Failed to create token"
      >
        <TextField
          name="name"
          label="Token name"
          hint="Only letters, numbers, and underscores."
          data-autofocus
        />
        <SelectField name="expiration" label="Expiration" options={EXPIRATION_CHOICES} />
        <FormActions>
          <CancelButton onClick={onClose} />
          <SubmitButton loadingText="Creating..." strict>
            Create
          </SubmitButton>
        </FormActions>
      </Form>
    </Modal>
  );
}

/** The value of a new token, which is shown only here. */
const TokenValue = ({ value, onClose }: { value: string; onClose: () => void }) => (
  <>
    <Notice tone="warning">Copy the token now. It will not be shown again.</Notice>
    <Box
      as="code"
      data-token
      display="block"
      mt="3"
      p="3"
      borderWidth="1px"
      borderRadius="md"
      bg="bg.subtle"
      fontFamily="mono"
      fontSize="sm"
      overflowWrap="anywhere"
      userSelect="all"
    >
      {value}
    </Box>
    <Actions>
      <CopyButton text={value} data-autofocus />
      <Button variant="solid" onClick={onClose}>
        Close
      </Button>
    </Actions>
  </>
);
