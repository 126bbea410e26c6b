import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../lib/paths.ts';
import { isMissing } from '../lib/problem.ts';
import { toast } from '../lib/toasts.ts';

type Messages = { missing: string; failed: string };

/** Redirects to the lists, with a toast, if what the page shows does not exist or could not be loaded. */
export function useRedirectIfMissing(problem: unknown, isLoaded: boolean, { missing, failed }: Messages) {
  const navigate = useNavigate();
  const isGone = isMissing(problem);
  const isRedirecting = isGone || (problem !== undefined && !isLoaded);
  useEffect(() => {
    if (!isRedirecting) return;
    toast(isGone ? missing : failed, 'error');
    void navigate(paths.lists(), { replace: true });
  }, [isRedirecting, isGone, missing, failed, navigate]);
}
