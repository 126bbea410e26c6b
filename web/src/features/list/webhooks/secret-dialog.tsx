import { ShownOnce } from '#web/components/shown-once.tsx';

type Props = { title: string; secret: string; onClose: () => void };

/** The secret of a webhook, with which its receiver verifies what is sent. */
const SecretDialog = ({ title, secret, onClose }: Props) => (
  <ShownOnce
    title={title}
    warning="Copy the signing secret now. It will not be shown again. With it, your endpoint verifies who has sent a request."
    value={secret}
    onClose={onClose}
  />
);
export default SecretDialog;
