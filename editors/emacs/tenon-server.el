;;; tenon-server.el --- The language server of tenon -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The tenon authors

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; One process serves all buffers.  It is started by the first buffer that wants it
;; and ended by `tenon-restart', or when it dies.  Other files of the package
;; hear of that by two hooks, `tenon--ready-functions' and `tenon--gone-hook'.

;;; Code:

(require 'jsonrpc)
(require 'subr-x)
(require 'tenon-options)

(defvar tenon--connection nil "The connection to the server, or nil.")
(defvar tenon--ready nil "Non-nil when the server has said hello.")

(defvar tenon--state '(:state "stopped" :reason "")
  "What the server said last of itself: :state, :reason and :action.")
(defvar tenon--ready-functions nil
  "Called with the answer to `initialize', when the server takes texts.")
(defvar tenon--gone-hook nil "Run when the server has ended, or is about to be ended.")

(defun tenon--set-state (state &optional reason action)
  "Remember STATE with REASON and ACTION, and show it in the mode line."
  (setq tenon--state (list :state state :reason (or reason "") :action action))
  (force-mode-line-update t))

(defun tenon--on-progress (value)
  "Take VALUE of a progress: how far the model has been loaded."
  (when (member (plist-get value :kind) '("begin" "report"))
    (let ((percentage (plist-get value :percentage)))
      (tenon--set-state "loading"
                        (string-join
                         (delq nil (list (plist-get value :title) (plist-get value :message)
                                         (and (numberp percentage)
                                              (format "%d%%" percentage))))
                         " ")))))

(defun tenon--on-notification (_connection method params)
  "Take the notification METHOD with PARAMS from the server."
  (pcase method
    ('tenon/didChangeStatus
     (let ((state (plist-get params :state)))
       ;; A progress says more of loading.
       (unless (and (equal state "loading") (equal (plist-get tenon--state :state) "loading"))
         (tenon--set-state state (plist-get params :reason) (plist-get params :action)))))
    ('$/progress (tenon--on-progress (plist-get params :value)))
    ('window/showMessage (message "%s" (plist-get params :message)))))

(defun tenon--on-request (_connection method _params)
  "Answer the request METHOD of the server."
  (pcase method
    ((or 'window/workDoneProgress/create 'client/registerCapability
         'client/unregisterCapability 'window/showMessageRequest)
     nil)
    (_ (jsonrpc-error :code -32601 :message (format "no method '%s'" method)))))

(defun tenon--on-shutdown (connection)
  "Forget the server when CONNECTION has ended."
  (when (eq connection tenon--connection)
    (setq tenon--connection nil tenon--ready nil)
    (run-hooks 'tenon--gone-hook)
    (tenon--set-state "failed" "the server ended; `tenon-log' shows what it said"
                      "M-x tenon-restart")))

(defun tenon--capabilities ()
  "Return what this client can, for `initialize'."
  (list :general '(:positionEncodings ["utf-32"])
        :window '(:workDoneProgress t)
        :textDocument '(:synchronization (:dynamicRegistration :json-false)
                        :completion (:contextSupport t)
                        :inlineCompletion (:dynamicRegistration :json-false))
        :experimental '(:tenon (:status t :additionalTextEdits t))))

(defun tenon--budgets ()
  "Return the time of an answer, unless the user's settings have one.
Ghost text waits for nobody, and a key makes the server drop its
question, so an answer may take long."
  (let ((nested (plist-get tenon-initialization-options :completion)))
    (append
     (unless (or (plist-member tenon-initialization-options :completion\.automaticBudgetMs)
                 (plist-member nested :automaticBudgetMs))
       '(:completion\.automaticBudgetMs 30000))
     (unless (or (plist-member tenon-initialization-options :completion\.invokedBudgetMs)
                 (plist-member nested :invokedBudgetMs))
       '(:completion\.invokedBudgetMs 30000)))))

(defun tenon--say-hello ()
  "Send `initialize', and run `tenon--ready-functions' when it is answered."
  (let ((connection tenon--connection))
    (jsonrpc-async-request
     connection :initialize
     (list :processId (emacs-pid) :rootUri nil
           :clientInfo (list :name "tenon.el" :version "0.1.0")
           :capabilities (tenon--capabilities)
           :initializationOptions
           (append tenon-initialization-options (tenon--budgets)))
     :timeout 60
     :success-fn (lambda (result)
                   (when (eq connection tenon--connection)
                     (jsonrpc-notify connection :initialized (make-hash-table))
                     (setq tenon--ready t)
                     (when (equal (plist-get tenon--state :state) "starting")
                       (tenon--set-state "ready"))
                     (run-hook-with-args 'tenon--ready-functions result)))
     :error-fn (lambda (fault)
                 (tenon--set-state "failed" (plist-get fault :message) "M-x tenon-log")))))

(defun tenon--without-events ()
  "Arguments for a connection without a log of its messages.
Emacs 30 has another name for them and warns of the older one."
  (if (>= emacs-major-version 30)
      '(:events-buffer-config (:size 0 :format full))
    '(:events-buffer-scrollback-size 0)))

(defun tenon--start ()
  "Start the server where it does not run."
  (unless tenon--connection
    (if (not (executable-find tenon-program))
        (tenon--set-state "failed" (format "'%s' is no program" tenon-program)
                          "set `tenon-program'")
      (setq tenon--ready nil)
      (tenon--set-state "starting")
      (setq tenon--connection
            (apply
             #'make-instance 'jsonrpc-process-connection
             :name "tenon"
             :notification-dispatcher #'tenon--on-notification
             :request-dispatcher #'tenon--on-request
             :on-shutdown #'tenon--on-shutdown
             :process (lambda ()
                        (make-process :name "tenon"
                                      :command (cons tenon-program tenon-arguments)
                                      :connection-type 'pipe
                                      :coding 'utf-8-emacs-unix
                                      :noquery t
                                      :stderr (get-buffer-create " *tenon stderr*")))
             (tenon--without-events)))
      (tenon--say-hello))))

(defun tenon--stop ()
  "End the server."
  (when-let ((connection tenon--connection))
    (setq tenon--connection nil tenon--ready nil)
    (run-hooks 'tenon--gone-hook)
    (ignore-errors (jsonrpc-request connection :shutdown nil :timeout 3))
    (ignore-errors (jsonrpc-notify connection :exit nil))
    (ignore-errors (jsonrpc-shutdown connection))
    (tenon--set-state "stopped")))

;;;###autoload
(defun tenon-restart ()
  "End the server and start another."
  (interactive)
  (tenon--stop)
  (tenon--start))

(provide 'tenon-server)
;;; tenon-server.el ends here
