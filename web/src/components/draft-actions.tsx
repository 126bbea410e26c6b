import { Actions } from './actions.tsx';
import { Button } from './button.tsx';

type Props = {
  /** Why saving failed. */
  error: string | undefined;
  isRunning: boolean;
  disabled: boolean;
  saveText?: string | undefined;
  /** Returns true if it was saved, which closes the editor of the draft. */
  save: () => Promise<boolean>;
  onClose: () => void;
};

/** Cancels or saves a draft that is not a form. */
export const DraftActions = ({ error, isRunning, disabled, saveText = 'Save', save, onClose }: Props) => (
  <Actions error={error} data-saving={isRunning || undefined}>
    <Button loading={isRunning} onClick={onClose}>
      Cancel
    </Button>
    <Button
      variant="solid"
      loading={isRunning}
      loadingText="Saving..."
      disabled={disabled}
      onClick={async () => {
        if (await save()) onClose();
      }}
    >
      {saveText}
    </Button>
  </Actions>
);
