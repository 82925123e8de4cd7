import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { useRef } from "react";

/**
 * `useMutation` whose `mutate` does nothing while a call is pending: the state that shows it comes a render after a
 * second press.
 */
export function useSingleMutation<Data, Variables = void>(
  options: UseMutationOptions<Data, Error, Variables>,
) {
  const isUnderWay = useRef(false);
  const mutation = useMutation(options);
  return {
    ...mutation,
    mutate(variables: Variables): void {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      const settle = () => {
        isUnderWay.current = false;
      };
      // This promise settles even after `reset`. Failures are in the state.
      void mutation.mutateAsync(variables).then(settle, settle);
    },
  };
}
