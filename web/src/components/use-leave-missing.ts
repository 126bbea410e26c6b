import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../lib/paths.ts';
import { isMissing } from '../lib/problem.ts';
import { toast } from '../lib/toasts.ts';

type Said = { missing: string; failed: string };

/** Leads back to the lists, saying why, where what a page is about is not there or cannot be had. */
export function useLeaveMissing(problem: unknown, shown: boolean, { missing, failed }: Said) {
  const navigate = useNavigate();
  const gone = isMissing(problem);
  const leaves = gone || (problem !== undefined && !shown);
  useEffect(() => {
    if (!leaves) return;
    toast(gone ? missing : failed, 'error');
    void navigate(paths.lists(), { replace: true });
  }, [leaves, gone, missing, failed, navigate]);
}
